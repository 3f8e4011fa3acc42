select plan(3);

select tests.person(name) from unnest(array['lena', 'maya']) as name;
select tests.post('trams', 'lena'), tests.post('bikes', 'maya');

select results_eq(
  $$ select app.owner_of_post(tests.event('post_commented', 'maya', p_post => 'trams'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('lena'), 'whose post it is'
);
select is_empty(
  $$ select app.owner_of_post(tests.event('post_commented', 'maya', p_post => 'trams'), tests.id('lena'), 10) $$, 'once'
);
select is_empty($$ select tests.who_may('select app.owner_of_post(null, null, null)') $$, 'no role asks');

select * from finish();
