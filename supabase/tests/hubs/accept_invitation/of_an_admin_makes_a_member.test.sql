select plan(7);

select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select tests.hub('oak', 'amara');
select tests.invitation('to oak', 'oak', 'amara', 'lena');
select tests.act_as('lena');
select results_eq(
  $$ select * from app.accept_invitation(tests.id('note')) $$, $$ values (tests.id('elm'), null::uuid) $$, 'it opens no join request'
);
reset role;
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member', 'lena: member'], 'but makes a member');
select bag_eq(
  $$ select id, state from app.hub_invitations $$,
  $$ values (tests.id('note'), 'accepted'::app.invitation_state), (tests.id('maya''s'), 'accepted'), (tests.id('to oak'), 'pending') $$,
  'all invitations to this Hub are accepted by it'
);
select results_eq('select tests.events()', array['hub_member_joined: lena, lena'], 'the members are told');
select tests.join_request('lena asks', 'oak', 'lena');
select is(tests.refusal_of('lena', $$ select app.accept_invitation(tests.id('to oak')) $$), null, 'who has asked as well');
select is(state, 'approved', 'need wait no longer') from app.join_requests;
select set_eq($$ select tests.who_may('select app.accept_invitation(null)') $$, array['authenticated'], 'who has a session may try');

select * from finish();
