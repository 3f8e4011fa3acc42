select plan(2);

select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.act_as_guest();
select throws_ok($$ select app.count_vote(tests.id('trams'), 'left', '0', true, tests.key()) $$, '42501', null, 'a guest does not vote');
set local role authenticated;
select throws_ok($$ select app.count_vote(tests.id('trams'), 'left', '0', true, tests.key()) $$, '23502', null, 'nor does anybody without a name');

select * from finish();
