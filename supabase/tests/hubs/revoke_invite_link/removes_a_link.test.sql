select plan(7);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.link('one', 'elm');
select tests.link('two', 'elm');
select tests.link('elsewhere', 'ash');

create function pg_temp.args(p_name text, p_hub text default 'elm')
returns jsonb
language sql
return tests.in_hub(p_hub, jsonb_build_object('inviteLinkId', tests.id(p_name)));

select is(
  tests.refusals('revoke_invite_link', pg_temp.args('one')),
  tests.below_level_4() || '{"lena": "INVITE_LINK_NOT_FOUND", "jonas": "FORBIDDEN"}', 'managers revoke, outsiders know of none'
);
select is(
  tests.refusals('revoke_invite_link', pg_temp.args('elsewhere')),
  tests.everybody('INVITE_LINK_NOT_FOUND') || '{"jonas": "FORBIDDEN"}', 'of another Hub is none'
);
select is(tests.refusals('revoke_invite_link', pg_temp.args('one', 'oak')), tests.everybody('HUB_NOT_FOUND'), 'nor of no Hub');
reset role;
select tests.membership('ash', 'maya', 'manager');
select tests.act_as('maya');
select is(tests.refusal('revoke_invite_link', pg_temp.args('elsewhere')), 'INVITE_LINK_NOT_FOUND', 'even if one''s own too');
select is(api.revoke_invite_link(pg_temp.args('one')), '{}', 'it answers nothing');
select throws_ok($$ select api.revoke_invite_link(pg_temp.args('one')) $$, 'PT404', 'INVITE_LINK_NOT_FOUND', 'and is not done twice');
reset role;
select set_eq('select id from app.invite_links', tests.ids('two', 'elsewhere'), 'the others stay');

select * from finish();
