select plan(5);

select tests.elm();
select tests.link('door', 'elm', 2);
select tests.link('gate', 'elm');
select tests.act_as('lena');
create temporary table asked as select * from app.request_to_join(tests.hash('door'));
reset role;
select results_eq(
  'select id, hub_id, user_id, source, state from app.join_requests',
  $$
    select join_request_id, hub_id, tests.id('lena'), 'invite_link'::app.join_request_source, 'pending_admin_approval'::app.join_request_state
    from asked
    where hub_id = tests.id('elm')
  $$,
  'whoever has a link may ask, and is answered the join request'
);
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'which makes no member');
select bag_eq('select id, use_count from app.invite_links', $$ values (tests.id('door'), 1), (tests.id('gate'), 0) $$, 'the link is used once');
select results_eq(
  'select type, actor_id, subject_id, hub_id, join_request_id from app.events',
  $$ select 'hub_join_request_created'::app.event_type, tests.id('lena'), tests.id('lena'), hub_id, join_request_id from asked $$, 'and this is told'
);
select set_eq($$ select tests.who_may('select app.request_to_join(null)') $$, array['authenticated'], 'who has a session asks');

select * from finish();
