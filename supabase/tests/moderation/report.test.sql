begin;
select plan(59);
savepoint empty;

-- report_* requires a session and a visible target, and returns the same report while the report is open.
-- docs/product.md S7, S8
select tests.elm();
select tests.person('anonymous', 1), tests.person('ann'), tests.block('ann', 'anonymous'), tests.block('ann', 'amara');
select tests.hub('ash', 'lena'), tests.hub('closed Hub', 'lena'), tests.close_hub('closed Hub');
select tests.post('trams', 'lena'), tests.post('private post', 'lena', 'private_locked_hub');
select tests.discussion('talk', 'amara', 'elm');
select tests.comment(name, author, 'trams')
from (values ('rude', 'jonas'), ('of ann', 'ann'), ('deleted', 'jonas')) as made (name, author);
select tests.comment('reply', 'maya', 'trams', 'deleted');
select tests.message(name, 'maya', 'talk in elm') from unnest(
  array['loud', 'without author', 'deleted message']
) as name;
update app.comments set author_id = null, body = null where id = tests.id('deleted');
update app.messages set author_id = null, body = case when id = tests.id('without author') then body end
where id = any (tests.ids('without author', 'deleted message'));

select tests.person('suspended'), tests.post('of suspended', 'suspended');
insert into app.suspensions (user_id) values (tests.id('suspended'));
select tests.post('of ann', 'ann'), tests.comment('under ann', 'jonas', 'of ann');
select tests.comment('hidden', 'jonas', 'of ann'), tests.block('ann', 'jonas');
select tests.discussion('in elm of maya', 'maya', 'elm'), tests.block('maya', 'amara');
select tests.message('in elm', 'jonas', 'in elm of maya in elm');

create function pg_temp.call(p_kind text, p_target text)
returns text
language sql
return format(
  'api.report_%s(%L)', p_kind,
  jsonb_build_object(p_kind || 'Id', tests.id(p_target), 'reason', 'spam', 'details', 'Look.')
);
create temporary table targets as
select * from (
  values
    ('comment', 'anonymous', 'rude'), ('hub', 'anonymous', 'ash'), ('post', 'anonymous', 'trams'),
    ('user', 'anonymous', 'lena'),
    ('message', 'jonas', 'loud')
) as t (kind, reporter, target);

create temporary table answers as select *, tests.value_as(reporter, pg_temp.call(kind, target)) as answer from targets;
select bag_eq(
  $$
    select
      id, reporter_id, reason::text, details, target_id, num_nonnulls(user_id, post_id, hub_id, comment_id, message_id),
      case target_id
        when user_id then 'user' when post_id then 'post' when hub_id then 'hub' when comment_id then 'comment'
          else 'message'
      end
    from app.reports
  $$,
  $$
    select
      (answer ->> 'reportId')::uuid, tests.id(reporter) as reporter, 'spam' as reason, 'Look.' as details,
      tests.id(target) as target, 1 as target_count, kind
    from answers
  $$,
  'each report stores its reporter, reason, details and target alone'
);
select is(
  answer, jsonb_build_object('reportId', r.id, 'state', 'open'),
  format('report_%s returns id and state of the new report', kind)
)
from answers
join app.reports as r on r.target_id = tests.id(target);
select is(
  tests.value_as(reporter, pg_temp.call(kind, target)), answer, format('report_%s returns the open report again', kind)
)
from answers;
select isnt(
  tests.value_as('amara', pg_temp.call(kind, target)) -> 'reportId', answer -> 'reportId',
  format('report_%s opens a separate report of another reporter', kind)
)
from answers;
update app.reports set state = 'dismissed';
select isnt(
  tests.value_as(reporter, pg_temp.call(kind, target)) -> 'reportId', answer -> 'reportId',
  format('report_%s opens a new report after the first one is dismissed', kind)
)
from answers;
select is(
  (tests.value_as(reporter, pg_temp.call(kind, target)) ->> 'reportId')::uuid,
  (
    select r.id
    from app.reports as r
    where r.reporter_id = tests.id(reporter) and r.target_id = tests.id(target) and r.state = 'open'
  ),
  format('report_%s returns the open report, not the dismissed one', kind)
)
from answers;
select is(tests.refusal_as(caller, 'select ' || pg_temp.call(kind, target)), expected, title)
from (
  values
    ('anonymous', 'comment', 'unknown', 'PT404 COMMENT_NOT_FOUND', 'report_comment refuses an unknown comment'),
    ('anonymous', 'comment', 'of ann', null, 'report_comment accepts a comment across a block'),
    ('anonymous', 'comment', 'deleted', 'PT404 COMMENT_NOT_FOUND', 'report_comment refuses a deleted comment'),
    ('anonymous', 'comment', 'reply', null, 'report_comment accepts a reply to a deleted comment'),
    ('anonymous', 'hub', 'unknown', 'PT404 HUB_NOT_FOUND', 'report_hub refuses an unknown Hub'),
    ('anonymous', 'hub', 'closed Hub', 'PT404 HUB_NOT_FOUND', 'report_hub refuses a closed Hub'),
    ('anonymous', 'post', 'unknown', 'PT404 POST_NOT_FOUND', 'report_post refuses an unknown post'),
    ('anonymous', 'post', 'private post', 'PT404 POST_NOT_FOUND', 'report_post refuses a private post for non-members'),
    ('anonymous', 'user', 'unknown', 'PT404 USER_NOT_FOUND', 'report_user refuses an unknown user'),
    ('anonymous', 'user', 'ann', null, 'report_user accepts a user who blocked the reporter'),
    ('anonymous', 'user', 'suspended', 'PT404 USER_NOT_FOUND', 'report_user refuses a suspended user'),
    ('anonymous', 'user', 'anonymous', 'PT422 VALIDATION_FAILED', 'report_user refuses the reporter'),
    ('anonymous', 'post', 'of ann', null, 'report_post accepts a post across a block'),
    ('anonymous', 'post', 'of suspended', 'PT404 POST_NOT_FOUND', 'report_post refuses a post of a suspended user'),
    ('lena', 'post', 'trams', 'PT422 VALIDATION_FAILED', 'report_post refuses the reporter''s own post'),
    ('amara', 'post', 'in elm of maya', null, 'report_post accepts a private post across a block in a Hub'),
    ('anonymous', 'comment', 'hidden', null, 'report_comment accepts a comment that a block hides from everybody'),
    ('anonymous', 'comment', 'under ann', null, 'report_comment accepts a comment on a post across a block'),
    ('jonas', 'comment', 'rude', 'PT422 VALIDATION_FAILED', 'report_comment refuses the reporter''s own comment'),
    ('maya', 'message', 'loud', 'PT422 VALIDATION_FAILED', 'report_message refuses the reporter''s own message'),
    ('amara', 'message', 'in elm', null, 'report_message accepts a message in a discussion that a block hides'),
    ('ann', 'user', 'amara', null, 'report_user accepts a user whom the reporter blocked'),
    ('jonas', 'message', 'unknown', 'PT404 MESSAGE_NOT_FOUND', 'report_message refuses an unknown message'),
    ('jonas', 'message', 'deleted message', 'PT404 MESSAGE_NOT_FOUND', 'report_message refuses a deleted message'),
    ('jonas', 'message', 'without author', null, 'report_message accepts a message of an ended account'),
    ('lena', 'message', 'loud', 'PT404 MESSAGE_NOT_FOUND', 'report_message refuses a non-member of the Hub')
) as c (caller, kind, target, expected, title);
insert into app.suspensions (user_id) values (tests.id('maya'));
select is(
  tests.refusal_as('amara', 'select ' || pg_temp.call('message', 'loud')), 'PT404 MESSAGE_NOT_FOUND',
  'report_message refuses a message of a suspended user'
);
select app.delete_memberships(tests.id('elm'), tests.id('jonas'));
select is(
  tests.refusal_as('jonas', 'select ' || pg_temp.call('message', 'loud')), 'PT404 MESSAGE_NOT_FOUND',
  'a former member cannot report a message again while their report is open'
);
grant select on targets to public;
select tests.authenticate_as('jonas');
select set_config(
  'request.jwt.claims', (tests.claims('jonas') || jsonb_build_object('session_id', tests.id('ended')))::text, true
);
select is(
  tests.error_of('select ' || pg_temp.call(kind, target)) ->> 'code', 'UNAUTHORIZED',
  format('report_%s refuses an ended session', kind)
)
from targets;

select * from finish();
rollback;
