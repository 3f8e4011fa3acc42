begin;
select plan(47);

create function pg_temp.args(p_key text, p_target text)
returns jsonb
language sql
return jsonb_build_object(p_key, tests.id(p_target), 'reason', 'spam', 'details', 'Look.');

create function pg_temp.report(p_operation text, p_args jsonb)
returns jsonb
language plpgsql
as $$
declare
  v_answer jsonb;
begin
  execute format('select api.%I($1)', p_operation) into v_answer using p_args;
  return v_answer;
end
$$;
savepoint empty;

-- put_report returns the same report while the report is open.
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
    select
      (post ->> 'reportId')::uuid as id, tests.id('maya') as reporter, null::uuid as person, tests.id('trams') as post,
      null::uuid as hub, 'hate', 'Look.' as details
    from answers
    union all select (person ->> 'reportId')::uuid, tests.id('maya'), tests.id('lena'), null, null, 'spam', null from answers
    union all select (hub ->> 'reportId')::uuid, tests.id('maya'), null, null, tests.id('elm'), 'other', null from answers
  $$,
  'put_report stores reporter, target, reason and details of a post, a user and a Hub'
);
select is(post ->> 'state', 'open', 'put_report opens the new report') from answers;
select is(
  app.put_report('{"reason": "spam"}', p_post_id => tests.id('trams')), post,
  'put_report returns the open report of the same post again'
) from answers;
select is(
  app.put_report('{"reason": "spam"}', p_user_id => tests.id('lena')), person,
  'put_report returns the open report of the same user again'
) from answers;
select is(
  app.put_report('{"reason": "spam"}', p_hub_id => tests.id('elm')), hub,
  'put_report returns the open report of the same Hub again'
) from answers;
select results_eq(
  $$ select reason::text, details from app.reports where post_id = tests.id('trams') $$, $$ values ('hate', 'Look.') $$,
  'put_report keeps reason and details of an open report'
);
select tests.authenticate_as('jonas');
select isnt(
  app.put_report('{"reason": "spam"}', p_post_id => tests.id('trams')) -> 'reportId', post -> 'reportId',
  'put_report opens a separate report of another reporter'
) from answers;
reset role;
update app.reports set state = 'closed';
select tests.authenticate_as('maya');
create temporary table later as select app.put_report('{"reason": "spam"}', p_post_id => tests.id('trams')) as post;
select isnt(later.post -> 'reportId', answers.post -> 'reportId', 'put_report opens a new report after the first one is closed')
from answers, later;
select is(
  app.put_report('{"reason": "hate"}', p_post_id => tests.id('trams')), post,
  'put_report returns the new report while the new one is open'
) from later;

rollback to empty;

-- report_comment, report_hub, report_post and report_user require level 1 and a visible target.
select tests.elm();
select tests.person('anonymous', 1);
select tests.person('ann');
select tests.block('ann', 'anonymous');
select tests.hub('ash', 'lena'), tests.hub('closed Hub', 'lena');
select tests.close_hub('closed Hub');
select tests.post('trams', 'lena'), tests.post('private post', 'lena', 'private_locked_hub');
select
  tests.comment('rude', 'jonas', 'trams'), tests.comment('of ann', 'ann', 'trams'), tests.comment('deleted', 'jonas', 'trams');
select tests.comment('reply', 'maya', 'trams', 'deleted');
update app.comments set author_id = null, body = null where id = tests.id('deleted');
create temporary table targets as
select *
from (
  values
    ('comment', 'report_comment', 'commentId', 'comment_id', 'rude'), ('Hub', 'report_hub', 'hubId', 'hub_id', 'ash'),
    ('post', 'report_post', 'postId', 'post_id', 'trams'), ('user', 'report_user', 'userId', 'user_id', 'lena')
) as t (kind, operation, key, reports_column, name);
grant select on targets to public;

select is(
  tests.refusal_as(null, format('select api.%I(%L)', operation, pg_temp.args(key, name))), '42501',
  format('a guest cannot report a %s', kind)
)
from targets;
select tests.authenticate_as('anonymous');
create temporary table answers as select *, pg_temp.report(operation, pg_temp.args(key, name)) as answer from targets;
grant select on answers to public;
select is(
  answer, jsonb_build_object('reportId', r.id, 'state', 'open'), format('%s returns id and state of the new report', operation)
)
from answers
join app.reports as r on r.target_id = tests.id(name);
select results_eq(
  format(
    $$
      select reporter_id, num_nonnulls(user_id, post_id, hub_id, comment_id, message_id), reason::text, details
      from app.reports where %I = tests.id(%L)
    $$,
    reports_column, name
  ),
  $$ values (tests.id('anonymous'), 1, 'spam', 'Look.') $$, format('%s stores the report of an anonymous user', operation)
)
from answers;
select is(pg_temp.report(operation, pg_temp.args(key, name)), answer, format('%s returns the open report again', operation))
from answers;
select is(tests.refusal(operation, pg_temp.args(key, name)), expected, title)
from (
  values
    ('report_comment', 'commentId', 'unknown', 'COMMENT_NOT_FOUND', 'report_comment refuses an unknown comment'),
    ('report_comment', 'commentId', 'of ann', 'COMMENT_NOT_FOUND', 'report_comment refuses a comment across a block'),
    ('report_comment', 'commentId', 'deleted', 'COMMENT_NOT_FOUND', 'report_comment refuses a deleted comment'),
    ('report_hub', 'hubId', 'unknown', 'HUB_NOT_FOUND', 'report_hub refuses an unknown Hub'),
    ('report_hub', 'hubId', 'closed Hub', 'HUB_NOT_FOUND', 'report_hub refuses a closed Hub'),
    ('report_post', 'postId', 'unknown', 'POST_NOT_FOUND', 'report_post refuses an unknown post'),
    ('report_post', 'postId', 'private post', 'POST_NOT_FOUND', 'report_post refuses a private post for non-members'),
    ('report_user', 'userId', 'unknown', 'USER_NOT_FOUND', 'report_user refuses an unknown user'),
    ('report_user', 'userId', 'ann', 'USER_NOT_FOUND', 'report_user refuses a user who blocked the reporter')
) as c (operation, key, name, expected, title);
select is(
  api.report_comment(pg_temp.args('commentId', 'reply')) ->> 'state', 'open',
  'report_comment accepts a reply to a deleted comment'
);
select set_config(
  'request.jwt.claims', (tests.claims('anonymous') || '{"session_id": "00000000-0000-0000-0000-000000000000"}')::text, true
);
select is(tests.refusal(operation, pg_temp.args(key, name)), 'UNAUTHORIZED', format('%s refuses an ended session', operation))
from targets;

rollback to empty;

-- report_message requires membership of the Hub.
select tests.elm();
select tests.discussion('trams', 'amara', 'elm');
select tests.message('rude', 'maya', 'trams in elm'), tests.message('without author', 'maya', 'trams in elm');
select tests.message('deleted', 'maya', 'trams in elm');
update app.messages set author_id = null where id = tests.id('without author');
update app.messages set author_id = null, body = null where id = tests.id('deleted');

select is(
  tests.refusal_as(null, format('select api.report_message(%L)', pg_temp.args('messageId', 'rude'))), '42501',
  'a guest cannot report a message'
);
select tests.authenticate_as('lena');
select is(
  tests.refusal('report_message', pg_temp.args('messageId', 'rude')), 'MESSAGE_NOT_FOUND',
  'report_message refuses a non-member of the Hub'
);
select tests.authenticate_as('jonas');
create temporary table answers as select api.report_message(pg_temp.args('messageId', 'rude')) as answer;
select results_eq(
  $$
    select id, reporter_id, message_id, num_nonnulls(user_id, post_id, hub_id, comment_id, message_id), reason::text, details
    from app.reports
  $$,
  $$ select (answer ->> 'reportId')::uuid, tests.id('jonas'), tests.id('rude'), 1, 'spam', 'Look.' from answers $$,
  'report_message stores the report of a member'
);
select is(
  api.report_message(pg_temp.args('messageId', 'rude')), answer, 'report_message returns the open report again'
) from answers;
select is(tests.refusal('report_message', pg_temp.args('messageId', name)), 'MESSAGE_NOT_FOUND', title)
from (
  values
    ('unknown', 'report_message refuses an unknown message'), ('deleted', 'report_message refuses a deleted message')
) as c (name, title);
select is(
  api.report_message(pg_temp.args('messageId', 'without author')) ->> 'state', 'open',
  'report_message accepts a message of an ended account'
);
select set_config(
  'request.jwt.claims', (tests.claims('jonas') || '{"session_id": "00000000-0000-0000-0000-000000000000"}')::text, true
);
select is(
  tests.refusal('report_message', pg_temp.args('messageId', 'rude')), 'UNAUTHORIZED', 'report_message refuses an ended session'
);

select * from finish();
rollback;
