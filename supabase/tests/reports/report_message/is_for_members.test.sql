select plan(8);

select tests.elm();
select tests.discussion('trams', 'amara', 'elm');
select tests.message('rude', 'maya', 'trams in elm');
select tests.message('of nobody', 'maya', 'trams in elm');
select tests.message('emptied', 'maya', 'trams in elm');
update app.messages set author_id = null where id = tests.id('of nobody');
update app.messages set author_id = null, body = null where id = tests.id('emptied');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return jsonb_build_object('messageId', tests.id(p_name), 'reason', 'hate', 'details', 'Look.');

select is(tests.refusal_of(null, format('select api.report_message(%L)', pg_temp.args('rude'))), '42501', 'guests report nothing');
select tests.act_as('lena');
select is(tests.refusal('report_message', pg_temp.args('rude')), 'MESSAGE_NOT_FOUND', 'nor do outsiders');
select tests.act_as('jonas');
create temporary table answers as select api.report_message(pg_temp.args('rude')) as answer;
select results_eq(
  'select id, reporter_id, message_id, num_nonnulls(user_id, post_id, hub_id, comment_id, message_id), reason::text, details from app.reports',
  $$ select (answer ->> 'reportId')::uuid, tests.id('jonas'), tests.id('rude'), 1, 'hate', 'Look.' from answers $$, 'members do'
);
select is(api.report_message(pg_temp.args('rude')), answer, 'again it is the same') from answers;
select is(tests.refusal('report_message', pg_temp.args('unknown')), 'MESSAGE_NOT_FOUND', 'what is not there is not reported');
select is(api.report_message(pg_temp.args('of nobody')) ->> 'state', 'open', 'what an ended account has said still is');
select is(tests.refusal('report_message', pg_temp.args('emptied')), 'MESSAGE_NOT_FOUND', 'unless nothing is left of it');
select set_config('request.jwt.claims', (tests.claims('jonas') || '{"session_id": "00000000-0000-0000-0000-000000000000"}')::text, true);
select is(tests.refusal('report_message', pg_temp.args('rude')), 'UNAUTHORIZED', 'nor anything after signing out');

select * from finish();
