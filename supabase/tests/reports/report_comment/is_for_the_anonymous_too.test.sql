select plan(9);

select tests.elm();
select tests.person('anonymous', 1);
select tests.person('ann');
select tests.block('ann', 'anonymous');
select tests.post('trams', 'lena');
select tests.comment('rude', 'jonas', 'trams');
select tests.comment('of ann', 'ann', 'trams');
select tests.comment('deleted', 'jonas', 'trams');
select tests.comment('reply', 'maya', 'trams', 'deleted');
update app.comments set author_id = null, body = null where id = tests.id('deleted');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return jsonb_build_object('commentId', tests.id(p_name), 'reason', 'spam', 'details', 'Look.');

select is(tests.refusal_of(null, format('select api.report_comment(%L)', pg_temp.args('rude'))), '42501', 'guests report nothing');
select tests.act_as('anonymous');
create temporary table answers as select api.report_comment(pg_temp.args('rude')) as answer;
grant select on answers to public;
select is(answer, jsonb_build_object('reportId', r.id, 'state', 'open'), 'it is open') from answers, app.reports as r;
select results_eq(
  'select reporter_id, comment_id, num_nonnulls(user_id, post_id, hub_id, comment_id, message_id), reason::text, details from app.reports',
  $$ values (tests.id('anonymous'), tests.id('rude'), 1, 'spam', 'Look.') $$, 'and says what it is about'
);
select is(api.report_comment(pg_temp.args('rude')), answer, 'again it is the same') from answers;
select is(tests.refusal('report_comment', pg_temp.args('unknown')), 'COMMENT_NOT_FOUND', 'what is not there is not reported');
select is(tests.refusal('report_comment', pg_temp.args('of ann')), 'COMMENT_NOT_FOUND', 'nor what is hidden');
select is(tests.refusal('report_comment', pg_temp.args('deleted')), 'COMMENT_NOT_FOUND', 'nor what is deleted');
select is(api.report_comment(pg_temp.args('reply')) ->> 'state', 'open', 'but what is said below it is');
select set_config('request.jwt.claims', (tests.claims('anonymous') || '{"session_id": "00000000-0000-0000-0000-000000000000"}')::text, true);
select is(tests.refusal('report_comment', pg_temp.args('rude')), 'UNAUTHORIZED', 'nor anything after signing out');

select * from finish();
