select plan(8);

select tests.elm();
select tests.hub('ash', 'jonas');
select tests.invitation('open', 'elm', 'jonas', 'lena');
select tests.invitation('over', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation('used', 'elm', 'maya', 'lena', 'accepted');
select tests.invitation('closed', 'ash', 'jonas', 'lena');
select tests.close_hub('ash');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon of the trees');

create function pg_temp.token(p_name text)
returns jsonb
language sql
return jsonb_build_object('tokenHash', tests.hex(p_name));

create function pg_temp.expected()
returns jsonb
language sql
return jsonb_build_object(
  'id', tests.id('open'), 'state', 'pending', 'expiresAt', app.iso(app.now() + interval '7 days'), 'hub', app.hub_shown(tests.id('elm')),
  'invitedBy', '{"displayName": "Jonas"}'::jsonb
);

select tests.act_as_guest();
select is(api.get_invitation(pg_temp.token('open')), pg_temp.expected(), 'to a guest, with the inviter''s public name');
select is(api.get_invitation(pg_temp.token('over')) ->> 'state', 'expired', 'over is over');
select is(api.get_invitation(pg_temp.token('used')) ->> 'state', 'accepted', 'used is used');
select is(tests.refusal('get_invitation', pg_temp.token('unknown')), 'INVITATION_NOT_FOUND', 'unknown is unknown');
select is(tests.refusal('get_invitation', pg_temp.token('closed')), 'INVITATION_NOT_FOUND', 'as is that of a closed Hub');
select tests.act_as('lena');
select is(api.get_invitation(pg_temp.token('open')), pg_temp.expected(), 'to whom it names');
select is(pg_temp.expected() #> '{hub,invitationId}', to_jsonb(tests.id('open')), 'who is invited by it');
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.act_as_guest();
select is(api.get_invitation(pg_temp.token('open')) -> 'invitedBy', '{"displayName": ""}', 'whose account is ending has no name');

select * from finish();
