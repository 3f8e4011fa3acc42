select plan(4);

select tests.elm();
select tests.link('open', 'elm');
select tests.link('over', 'elm', null, app.now());

create function pg_temp.token(p_name text)
returns jsonb
language sql
return jsonb_build_object('tokenHash', tests.hex(p_name));

create function pg_temp.expected(p_status text)
returns jsonb
language sql
return jsonb_build_object('hub', app.hub_shown(tests.id('elm')), 'expiresAt', app.iso(app.now() + interval '7 days'), 'viewerStatus', p_status);

select tests.act_as_guest();
select is(api.get_invite_link(pg_temp.token('open')), pg_temp.expected('none'), 'to a guest');
select is(tests.refusal('get_invite_link', pg_temp.token('over')), 'INVITE_LINK_NOT_FOUND', 'while it may be used');
select tests.act_as('jonas');
select is(api.get_invite_link(pg_temp.token('open')), pg_temp.expected('member'), 'to a member');
reset role;
select tests.join_request('request', 'elm', 'lena');
select tests.act_as('lena');
select is(api.get_invite_link(pg_temp.token('open')), pg_temp.expected('pending_admin_approval'), 'and to who has asked');

select * from finish();
