select plan(7);

select tests.person('maya');
select tests.session('maya');
select tests.session('maya at home', 'maya');
select tests.device_token('hers', 'maya');
select tests.person('jonas');
select tests.session('jonas');
select tests.device_token('his', 'jonas');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return jsonb_build_object('sessionId', tests.id('session of ' || p_name));

select is(tests.refusal_of(null, format('select api.end_session(%L)', pg_temp.args('maya'))), '42501', 'guests end nothing');
select tests.act_as('maya at home');
select set_config('request.jwt.claims', tests.claims('maya at home', 'maya')::text, true);
select is(tests.refusal('end_session', pg_temp.args('jonas')), 'SESSION_NOT_FOUND', 'somebody else''s is none');
select is(api.end_session(pg_temp.args('maya')), '{}', 'one''s own ends');
select is(tests.refusal('end_session', pg_temp.args('maya')), 'SESSION_NOT_FOUND', 'once');
reset role;
select bag_eq('select id from app.sessions', tests.ids('session of maya at home', 'session of jonas'), 'and no other');
select bag_eq('select session_id from app.refresh_tokens', tests.ids('session of maya at home', 'session of jonas'), 'with its refresh token');
select results_eq('select token_hash from app.device_tokens', array[tests.hash('his')], 'and its device token');

select * from finish();
