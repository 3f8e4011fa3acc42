select plan(6);

select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select is(tests.refusal_of('jonas', $$ select app.decline_invitation(tests.id('note')) $$), 'PT404 INVITATION_NOT_FOUND', 'nobody declines for others');
select is(tests.refusal_of('lena', $$ select app.decline_invitation(tests.id('note')) $$), null, 'who is invited declines');
select bag_eq(
  'select id, state from app.hub_invitations',
  $$ values (tests.id('note'), 'declined'::app.invitation_state), (tests.id('maya''s'), 'pending') $$, 'this one, and no other'
);
select is(tests.refusal_of('lena', $$ select app.decline_invitation(tests.id('note')) $$), 'PT409 INVITATION_NOT_PENDING', 'once');
select is_empty('select tests.events()', 'nobody is told');
select set_eq($$ select tests.who_may('select app.decline_invitation(null)') $$, array['authenticated'], 'who has a session may try');

select * from finish();
