select plan(7);

select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.invite(p_caller text, p_invited text, p_token text)
returns text
language sql
as $$
  select tests.refusal_of(
    p_caller, format('select app.put_invitation(tests.id(%L), tests.phone_of(%L), tests.hash(%L))', 'elm', p_invited, p_token)
  )
$$;

select is(pg_temp.invite('jonas', 'lena', 'token'), null, 'a member invites');
select results_eq(
  'select hub_id, inviter_id, phone, token_hash, state, created_at, expires_at from app.hub_invitations',
  $$
    values (
      tests.id('elm'), tests.id('jonas'), tests.phone_of('lena'), tests.hash('token'), 'pending'::app.invitation_state, app.now(),
      app.now() + interval '7 days'
    )
  $$,
  'a phone, for a week'
);
select results_eq(
  'select type, actor_id, subject_id, hub_id, invitation_id from app.events',
  $$
    select 'hub_invite_received'::app.event_type, tests.id('jonas'), null::uuid, tests.id('elm'), i.id from app.hub_invitations as i
  $$,
  'and this is told, but not of whom'
);
select pg_temp.invite('maya', 'lena', 'maya''s'), pg_temp.invite('amara', 'lena', 'amara''s'), pg_temp.invite('amara', 'nobody', 'other');
select set_eq(
  'select inviter_id, phone, makes_member from app.hub_invitations',
  $$
    values
      (tests.id('jonas'), tests.phone_of('lena'), false), (tests.id('maya'), tests.phone_of('lena'), false),
      (tests.id('amara'), tests.phone_of('lena'), true), (tests.id('amara'), tests.phone_of('nobody'), true)
  $$,
  'an admin''s makes a member; each is by itself, whoever has the phone'
);
select is(pg_temp.invite('lena', 'ann', 'lena''s'), 'PT403 FORBIDDEN', 'an outsider invites nobody');
select is(pg_temp.invite(null, 'ann', 'nobody''s'), '42501', 'nor does a guest');
select set_eq($$ select tests.who_may('select app.put_invitation(null, null, null)') $$, array['authenticated'], 'who has a session may try');

select * from finish();
