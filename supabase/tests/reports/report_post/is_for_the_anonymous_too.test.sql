select plan(7);

select tests.elm();
select tests.person('anonymous', 1);
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return jsonb_build_object('postId', tests.id(p_name), 'reason', 'spam', 'details', 'Look.');

select is(tests.refusal_of(null, format('select api.report_post(%L)', pg_temp.args('trams'))), '42501', 'guests report nothing');
select tests.act_as('anonymous');
create temporary table answers as select api.report_post(pg_temp.args('trams')) as answer;
select is(answer, jsonb_build_object('reportId', r.id, 'state', 'open'), 'it is open') from answers, app.reports as r;
select results_eq(
  'select reporter_id, post_id, num_nonnulls(user_id, post_id, hub_id), reason::text, details from app.reports',
  $$ values (tests.id('anonymous'), tests.id('trams'), 1, 'spam', 'Look.') $$, 'and says what it is about'
);
select is(api.report_post(pg_temp.args('trams')), answer, 'again it is the same') from answers;
select is(tests.refusal('report_post', pg_temp.args('unknown')), 'POST_NOT_FOUND', 'what is not there is not reported');
select is(tests.refusal('report_post', pg_temp.args('hidden')), 'POST_NOT_FOUND', 'nor what is hidden');
select set_config('request.jwt.claims', (tests.claims('anonymous') || '{"session_id": "00000000-0000-0000-0000-000000000000"}')::text, true);
select is(tests.refusal('report_post', pg_temp.args('trams')), 'UNAUTHORIZED', 'nor anything after signing out');

select * from finish();
