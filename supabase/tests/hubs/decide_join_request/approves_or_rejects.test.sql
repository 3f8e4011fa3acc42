select plan(7);

select tests.elm();
select tests.person('ann', 4);
select tests.join_request('lena asks', 'elm', 'lena');
select tests.join_request('ann asks', 'elm', 'ann');
select tests.act_as('amara');
select app.decide_join_request(tests.id('elm'), tests.id('lena asks'), 'approved');
reset role;
select bag_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member', 'lena: member'], 'who is approved is a member'
);
select bag_eq(
  'select id, state from app.join_requests',
  $$ values (tests.id('lena asks'), 'approved'::app.join_request_state), (tests.id('ann asks'), 'pending_admin_approval') $$, 'and nobody else'
);
select results_eq(
  'select tests.events()', array['hub_join_request_approved: amara, lena', 'hub_member_joined: lena, lena'], 'they are told, then the members'
);
select is(join_request_id, tests.id('lena asks'), 'of which join request') from app.events where type = 'hub_join_request_approved';
delete from app.events;
select tests.act_as('amara');
select app.decide_join_request(tests.id('elm'), tests.id('ann asks'), 'rejected');
reset role;
select is(state, 'rejected', 'another is rejected') from app.join_requests where id = tests.id('ann asks');
select results_eq(
  'select type, actor_id, subject_id, hub_id, join_request_id from app.events',
  $$ values ('hub_join_request_rejected'::app.event_type, tests.id('amara'), tests.id('ann'), tests.id('elm'), tests.id('ann asks')) $$,
  'and told so'
);
select is_empty($$ select from app.memberships where user_id = tests.id('ann') $$, 'and is no member');

select * from finish();
