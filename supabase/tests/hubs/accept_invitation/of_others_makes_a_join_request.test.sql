select plan(8);

select tests.elm();
select tests.invitation('note', 'elm', 'jonas', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select tests.act_as('lena');
create temporary table answered as select * from app.accept_invitation(tests.id('note'));
reset role;
select results_eq(
  'select id, hub_id, user_id, source, state from app.join_requests',
  $$
    select join_request_id, hub_id, tests.id('lena'), 'member_invitation'::app.join_request_source, 'pending_admin_approval'::app.join_request_state
    from answered
    where hub_id = tests.id('elm')
  $$,
  'an invitation by a member opens a join request, and answers it'
);
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'and makes no member');
select bag_eq(
  $$ select id, state from app.hub_invitations $$,
  $$ values (tests.id('note'), 'accepted'::app.invitation_state), (tests.id('maya''s'), 'pending') $$, 'it is accepted, and no other'
);
select results_eq('select tests.events()', array['hub_join_request_created: lena, lena'], 'the join request is told');
select is(tests.refusal_of('lena', $$ select app.accept_invitation(tests.id('note')) $$), 'PT409 INVITATION_NOT_PENDING', 'nobody accepts twice');
select is(
  tests.violation_of($$ select tests.act_as('lena'); select app.accept_invitation(tests.id('maya''s')) $$), 'join_requests_pending_key',
  'or asks twice by a manager''s'
);
reset role;
select is(state, 'pending', 'which stays open') from app.hub_invitations where id = tests.id('maya''s');
delete from app.join_requests;
select tests.refusal_of('lena', $$ select app.accept_invitation(tests.id('maya''s')) $$);
select isnt_empty('select from app.join_requests', 'a manager''s opens a join request too');

select * from finish();
