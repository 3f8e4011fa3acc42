select plan(3);

select tests.elm();
create function pg_temp.to_nobody(p_hub text)
returns jsonb
language sql
return tests.in_hub(p_hub, jsonb_build_object('invitations', jsonb_build_array(
  jsonb_build_object('phoneNumber', tests.phone_of('nobody'), 'tokenHash', tests.hex('token'), 'sealedToken', 'sealed')
)));

select is(tests.refusals('create_invitations', pg_temp.to_nobody('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'an outsider invites nobody');
select is(tests.refusals('create_invitations', pg_temp.to_nobody('ash')), tests.everybody('HUB_NOT_FOUND'), 'to no Hub is anybody invited');
select is_empty('select from app.hub_invitations', 'and nothing is made');

select * from finish();
