select plan(17);

select tests.elm();
select tests.person('anonymous', 1);
select tests.person('two', 2);
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');

create function pg_temp.refusal(p_operation text, p_caller text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.%s(%L)', p_operation, tests.arguments(p_post)));

select is(pg_temp.refusal(operation, null, 'trams'), '42501', 'guests: ' || operation) from unnest(array['save_post', 'unsave_post']) as operation;
select is(pg_temp.refusal(operation, 'anonymous', 'trams'), 'PT403 FORBIDDEN', 'the anonymous: ' || operation) from unnest(array['save_post', 'unsave_post']) as operation;
select is(pg_temp.refusal(operation, 'maya', 'hidden'), 'PT404 POST_NOT_FOUND', 'what is hidden: ' || operation) from unnest(array['save_post', 'unsave_post']) as operation;
select is(pg_temp.refusal(operation, 'maya', 'unknown'), 'PT404 POST_NOT_FOUND', 'what never was: ' || operation) from unnest(array['save_post', 'unsave_post']) as operation;
select tests.act_as('maya');
select is(api.save_post(tests.arguments('trams')), '{"saved": true}', 'somebody else saves it');
select tests.act_as('two');
select is(api.save_post(tests.arguments('trams')), '{"saved": true}', 'once');
reset role;
select app.set_clock_offset('1 minute');
select tests.act_as('two');
select is(api.save_post(tests.arguments('trams')), '{"saved": true}', 'is as twice');
select is(saved_at, app.now() - interval '1 minute', 'it is saved since then') from app.saved_posts;
select is(api.save_post(tests.arguments('bikes')), '{"saved": true}', 'and another');
select is(api.unsave_post(tests.arguments('trams')), '{"saved": false}', 'then forgotten');
select is(api.unsave_post(tests.arguments('trams')), '{"saved": false}', 'once is as twice');
select results_eq('select post_id from app.saved_posts', tests.ids('bikes'), 'that alone');
reset role;
select set_eq('select user_id from app.saved_posts', tests.ids('two', 'maya'), 'by whoever does alone');

select * from finish();
