select plan(2);

select tests.named('___', 'Maya Berg');
select tests.named('_lena', 'Lena Berg');
select tests.act_as_guest();
select is((tests.search('___'))[1], '___', 'who chose no letter as a username is found by it');
select is(tests.search('_'), '{___,_lena}', 'as is whoever''s username begins with none');

select * from finish();
