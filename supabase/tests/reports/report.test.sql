begin;
select plan(47);
savepoint empty;

-- put_report: is one while it is open
select tests.elm();
select tests.post('trams', 'lena');
select tests.authenticate_as('maya');
create temporary table answers as
select
  app.put_report('{"reason": "hate", "details": "Look."}', p_post_id => tests.id('trams')) as post,
  app.put_report('{"reason": "spam", "details": null}', p_user_id => tests.id('lena')) as person,
  app.put_report('{"reason": "other"}', p_hub_id => tests.id('elm')) as hub;
grant select on answers to public;
select bag_eq(
  'select id, reporter_id, user_id, post_id, hub_id, reason::text, details from app.reports',
  $$
    select (post ->> 'reportId')::uuid as id, tests.id('maya') as reporter, null::uuid as person, tests.id('trams') as post, null::uuid as hub, 'hate', 'Look.' as details from answers
    union all select (person ->> 'reportId')::uuid, tests.id('maya'), tests.id('lena'), null, null, 'spam', null from answers
    union all select (hub ->> 'reportId')::uuid, tests.id('maya'), null, null, tests.id('elm'), 'other', null from answers
  $$,
  'of a post, a person or a Hub'
);
select is(post ->> 'state', 'open', 'it is open') from answers;
select is(app.put_report('{"reason": "spam"}', p_post_id => tests.id('trams')), post, 'again it is the same') from answers;
select is(app.put_report('{"reason": "spam"}', p_user_id => tests.id('lena')), person, 'of each') from answers;
select is(app.put_report('{"reason": "spam"}', p_hub_id => tests.id('elm')), hub, 'alike') from answers;
select results_eq(
  $$ select reason::text, details from app.reports where post_id = tests.id('trams') $$, $$ values ('hate', 'Look.') $$, 'and says what it said'
);
select tests.authenticate_as('jonas');
select isnt(app.put_report('{"reason": "spam"}', p_post_id => tests.id('trams')) -> 'reportId', post -> 'reportId', 'others make their own') from answers;
reset role;
update app.reports set state = 'closed';
select tests.authenticate_as('maya');
create temporary table later as select app.put_report('{"reason": "spam"}', p_post_id => tests.id('trams')) as post;
select isnt(later.post -> 'reportId', answers.post -> 'reportId', 'once it is decided there is another') from answers, later;
select is(app.put_report('{"reason": "hate"}', p_post_id => tests.id('trams')), post, 'which is one while it is open') from later;

rollback to empty;

-- report_comment: is for the anonymous too
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
select tests.authenticate_as('anonymous');
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

rollback to empty;

-- report_hub: is for the anonymous too
select tests.elm();
select tests.person('anonymous', 1);
select tests.hub('ash', 'lena');
select tests.hub('closed', 'lena');
select tests.close_hub('closed');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return jsonb_build_object('hubId', tests.id(p_name), 'reason', 'spam', 'details', 'Look.');

select is(tests.refusal_of(null, format('select api.report_hub(%L)', pg_temp.args('ash'))), '42501', 'guests report nothing');
select tests.authenticate_as('anonymous');
create temporary table answers as select api.report_hub(pg_temp.args('ash')) as answer;
select is(answer, jsonb_build_object('reportId', r.id, 'state', 'open'), 'it is open') from answers, app.reports as r;
select results_eq(
  'select reporter_id, hub_id, num_nonnulls(user_id, post_id, hub_id), reason::text, details from app.reports',
  $$ values (tests.id('anonymous'), tests.id('ash'), 1, 'spam', 'Look.') $$, 'and says what it is about'
);
select is(api.report_hub(pg_temp.args('ash')), answer, 'again it is the same') from answers;
select is(tests.refusal('report_hub', pg_temp.args('unknown')), 'HUB_NOT_FOUND', 'what is not there is not reported');
select is(tests.refusal('report_hub', pg_temp.args('closed')), 'HUB_NOT_FOUND', 'nor what has closed');
select set_config('request.jwt.claims', (tests.claims('anonymous') || '{"session_id": "00000000-0000-0000-0000-000000000000"}')::text, true);
select is(tests.refusal('report_hub', pg_temp.args('ash')), 'UNAUTHORIZED', 'nor anything after signing out');

rollback to empty;

-- report_message: is for members
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
select tests.authenticate_as('lena');
select is(tests.refusal('report_message', pg_temp.args('rude')), 'MESSAGE_NOT_FOUND', 'nor do outsiders');
select tests.authenticate_as('jonas');
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

rollback to empty;

-- report_post: is for the anonymous too
select tests.elm();
select tests.person('anonymous', 1);
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return jsonb_build_object('postId', tests.id(p_name), 'reason', 'spam', 'details', 'Look.');

select is(tests.refusal_of(null, format('select api.report_post(%L)', pg_temp.args('trams'))), '42501', 'guests report nothing');
select tests.authenticate_as('anonymous');
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

rollback to empty;

-- report_user: is for the anonymous too
select tests.elm();
select tests.person('anonymous', 1);
select tests.person('ann');
select tests.block('ann', 'anonymous');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return jsonb_build_object('userId', tests.id(p_name), 'reason', 'spam', 'details', 'Look.');

select is(tests.refusal_of(null, format('select api.report_user(%L)', pg_temp.args('lena'))), '42501', 'guests report nothing');
select tests.authenticate_as('anonymous');
create temporary table answers as select api.report_user(pg_temp.args('lena')) as answer;
select is(answer, jsonb_build_object('reportId', r.id, 'state', 'open'), 'it is open') from answers, app.reports as r;
select results_eq(
  'select reporter_id, user_id, num_nonnulls(user_id, post_id, hub_id), reason::text, details from app.reports',
  $$ values (tests.id('anonymous'), tests.id('lena'), 1, 'spam', 'Look.') $$, 'and says what it is about'
);
select is(api.report_user(pg_temp.args('lena')), answer, 'again it is the same') from answers;
select is(tests.refusal('report_user', pg_temp.args('unknown')), 'USER_NOT_FOUND', 'what is not there is not reported');
select is(tests.refusal('report_user', pg_temp.args('ann')), 'USER_NOT_FOUND', 'nor who is hidden');
select set_config('request.jwt.claims', (tests.claims('anonymous') || '{"session_id": "00000000-0000-0000-0000-000000000000"}')::text, true);
select is(tests.refusal('report_user', pg_temp.args('lena')), 'UNAUTHORIZED', 'nor anything after signing out');

select * from finish();
rollback;
