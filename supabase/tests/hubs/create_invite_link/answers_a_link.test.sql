select plan(5);

select tests.elm();
select tests.hub('ash', 'maya');
create function pg_temp.args(p_hub text, p_name text, p_args jsonb default '{}')
returns jsonb
language sql
return tests.in_hub(p_hub, jsonb_build_object('tokenHash', tests.hex(p_name), 'sealedToken', 'sealed ' || p_name, 'expiresInDays', 7) || p_args);

select tests.act_as('maya');
select is(
  api.create_invite_link(pg_temp.args('elm', 'one', '{"maxUses": 5, "expiresInDays": 3}')) - 'id',
  jsonb_build_object(
    'token', null, 'url', null, 'expiresAt', app.iso(app.now() + interval '3 days'), 'maxUses', 5, 'useCount', 0, 'createdAt', app.iso(app.now()),
    'sealedToken', 'sealed one'
  ),
  'that the service makes the address of'
);
select is(api.create_invite_link(pg_temp.args('elm', 'two')) ->> 'maxUses', null, 'it may be used without end');
reset role;
select set_eq(
  'select hub_id, token_hash, max_uses from app.invite_links',
  $$ values (tests.id('elm'), tests.hash('one'), 5), (tests.id('elm'), tests.hash('two'), null) $$, 'its token is kept as a hash'
);
select is(
  tests.refusals('create_invite_link', pg_temp.args('elm', 'three')), tests.below_level_4() || '{"lena": "FORBIDDEN", "jonas": "FORBIDDEN"}',
  'managers and admins make links'
);
select is(tests.refusals('create_invite_link', pg_temp.args('oak', 'three')), tests.everybody('HUB_NOT_FOUND'), 'of Hubs that are there');

select * from finish();
