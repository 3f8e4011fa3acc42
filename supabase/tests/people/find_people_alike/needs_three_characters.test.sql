select plan(2);

select tests.named('other', 'Anna Xi');
select tests.act_as_guest();
select is(tests.search('nn'), '{}', 'two characters are like nothing');
select is(tests.search('ana'), '{other}', 'three are');

select * from finish();
