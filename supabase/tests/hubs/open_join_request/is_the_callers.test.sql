select plan(4);

select tests.elm();
select set_config('request.jwt.claims', tests.claims('lena')::text, true);
create temporary table asked as select app.open_join_request(tests.id('elm'), 'member_invitation') as id;
select results_eq(
  'select id, hub_id, user_id, source, state from app.join_requests',
  $$
    select id, tests.id('elm'), tests.id('lena'), 'member_invitation'::app.join_request_source, 'pending_admin_approval'::app.join_request_state
    from asked
  $$,
  'the caller asks'
);
select results_eq(
  'select type, actor_id, subject_id, hub_id, join_request_id from app.events',
  $$ select 'hub_join_request_created'::app.event_type, tests.id('lena'), tests.id('lena'), tests.id('elm'), id from asked $$, 'which is told'
);
select is(tests.violation_of($$ select app.open_join_request(tests.id('elm'), 'invite_link') $$), 'join_requests_pending_key', 'once at a time');
select is_empty($$ select tests.who_may('select app.open_join_request(null, null)') $$, 'moves alone ask');

select * from finish();
