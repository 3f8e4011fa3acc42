select plan(10);

select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');

create function pg_temp.violation(p_change text)
returns text
language sql
as $$ select tests.violation_of('update app.hub_invitations set ' || p_change) $$;

select is(
  tests.violation_of($$ select tests.invitation('other', 'elm', 'amara', 'lena') $$), 'hub_invitations_pending_key',
  'a member invites a phone to a Hub once at a time'
);
select is(tests.violation_of($$ select tests.invitation('other', 'elm', 'amara', 'ann') $$), null, 'others as well');
select is(tests.violation_of($$ select tests.invitation('by maya', 'elm', 'maya', 'lena') $$), null, 'as do others');
select tests.hub('oak', 'amara');
select is(tests.violation_of($$ select tests.invitation('to oak', 'oak', 'amara', 'lena') $$), null, 'and to other Hubs');
select is(
  tests.violation_of($$ select tests.invitation('past', 'elm', 'amara', 'lena', 'declined') $$), null, 'what is over is in nobody''s way'
);
delete from app.hub_invitations where id <> tests.id('note');
select is(
  tests.violation_of($$
    insert into app.hub_invitations (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
    select i.hub_id, tests.id('maya'), i.phone, i.token_hash, false, app.now() from app.hub_invitations as i
  $$),
  'hub_invitations_token_hash_key', 'a token is one invitation''s'
);
select is(pg_temp.violation($$ token_hash = 'short' $$), 'hub_invitations_token_hash_is_sha256', 'and kept as its hash alone');
select is(pg_temp.violation($$ phone = '2025550100' $$), 'hub_invitations_phone_is_e164', 'phones are canonical');
insert into app.hub_invitations (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
values (tests.id('elm'), tests.id('maya'), '+12025550100', tests.hash('token'), false, app.now());
select results_eq(
  $$ select state, created_at from app.hub_invitations where phone = '+12025550100' $$,
  $$ values ('pending'::app.invitation_state, app.now()) $$, 'an invitation begins now, open'
);
select is(
  enum_range(null::app.invitation_state)::text, '{pending,accepted,declined,expired}', 'and becomes one of three things'
);

select * from finish();
