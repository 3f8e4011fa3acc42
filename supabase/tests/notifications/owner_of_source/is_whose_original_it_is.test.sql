select plan(6);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.post('trams', 'lena'), tests.post('bikes', 'jonas');
select tests.repost('trams anew', 'maya', 'trams'), tests.repost('bikes anew', 'maya', 'bikes', 'private_locked_hub');

select results_eq(
  $$ select app.owner_of_source(tests.event('post_reposted', 'maya', p_post => 'trams anew'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('lena'),
  'of a repost for everybody, wherever they are'
);
select is_empty(
  $$ select app.owner_of_source(tests.event('post_reposted', 'maya', p_post => 'trams anew'), tests.id('lena'), 10) $$, 'once'
);
select is_empty(
  $$ select app.owner_of_source(tests.event('post_reposted', 'maya', p_hub => 'elm', p_post => 'trams anew'), '00000000-0000-0000-0000-000000000000', 10) $$,
  'of one for a Hub not who is no member of it'
);
select results_eq(
  $$ select app.owner_of_source(tests.event('post_reposted', 'maya', p_hub => 'elm', p_post => 'bikes anew'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('jonas'),
  'and who is'
);
select is_empty($$ select app.owner_of_source(tests.event('post_reposted', 'maya', p_post => 'trams'), '00000000-0000-0000-0000-000000000000', 10) $$, 'an original has none');
select is_empty($$ select tests.who_may('select app.owner_of_source(null, null, null)') $$, 'no role asks');

select * from finish();
