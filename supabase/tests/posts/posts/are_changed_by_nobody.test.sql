select plan(2);

select tests.person('maya', 3);
select tests.post('trams', 'maya');
select tests.act_as('maya');
select throws_ok($$ update app.posts set thought_text = 'Bikes' $$, '42501', null, 'what people voted on stays as it was');
select tests.act_as_guest();
select throws_ok($$ update app.posts set thought_text = 'Bikes' $$, '42501', null, 'for guests too');

select * from finish();
