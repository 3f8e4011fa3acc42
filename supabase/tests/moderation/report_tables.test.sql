begin;
select plan(26);
savepoint empty;

-- Policies of reports let users insert and read their own reports.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');

select is(
  tests.refusal_as(
    caller,
    format(
      'insert into app.reports (reporter_id, %I, reason) values (%L, %L, %L)',
      target_column, tests.id(reporter), tests.id(target), 'spam'
    )
  ),
  expected, title
)
from (
  values
    ('maya', 'maya', 'user_id', 'lena', null::text, 'a user can insert a report of a user'),
    ('maya', 'maya', 'post_id', 'trams', null, 'a user can insert a report of a post'),
    ('maya', 'maya', 'hub_id', 'ash', null, 'a user can insert a report of a Hub'),
    ('maya', 'jonas', 'hub_id', 'elm', '42501', 'a user cannot insert a report of another reporter'),
    ('maya', null, 'hub_id', 'elm', '42501', 'a user cannot insert a report without a reporter')
) as c (caller, reporter, target_column, target, expected, title);
select tests.authenticate_as('maya');
select bag_eq(
  'select coalesce(user_id, post_id, hub_id), reporter_id, reason::text, state::text, created_at from app.reports',
  $$
    select target, tests.id('maya') as reporter, 'spam' as reason, 'open' as state, app.now() as at
    from unnest(tests.ids('lena', 'trams', 'ash')) as target
  $$,
  'a reporter reads the own reports'
);
select tests.authenticate_as('lena');
select is_empty('select from app.reports', 'a user cannot read reports by others, even about the user');

rollback to empty;

-- Constraints of reports require one target, short details and one open report per target.
select tests.elm();
select tests.person(name) from unnest(array['ben', 'tom']) as name;
select tests.post('trams', 'jonas');

create function pg_temp.violation(p_user text, p_post text, p_hub text, p_details text default null)
returns text
language sql
return tests.violation_of(format(
  'insert into app.reports (reporter_id, user_id, post_id, hub_id, reason, details) values (%L, %L, %L, %L, %L, %L)',
  tests.id('maya'), tests.id(p_user), tests.id(p_post), tests.id(p_hub), 'other', p_details
));

select is(pg_temp.violation(target_user, target_post, target_hub, details), expected, title)
from (
  values
    (null::text, null::text, null::text, null::text, 'reports_have_one_target', 'a report has a target'),
    ('jonas', 'trams', null, null, 'reports_have_one_target', 'a report cannot have a user and a post as targets'),
    (null, 'trams', 'elm', null, 'reports_have_one_target', 'a report cannot have a post and a Hub as targets'),
    ('jonas', null, 'elm', null, 'reports_have_one_target', 'a report cannot have a user and a Hub as targets'),
    ('jonas', null, null, '', 'reports_details_length', 'the details of a report are not empty'),
    (
      'jonas', null, null, repeat('é', 1001), 'reports_details_length',
      'the details of a report have at most 1,000 characters'
    ),
    ('jonas', null, null, repeat('é', 1000), null, 'the details of a report may have 1,000 characters'),
    ('jonas', null, null, null, 'reports_open_key', 'a reporter has one open report of a user at most'),
    (null, 'trams', null, '!', null, 'a reporter of a user may also report a post'),
    (null, 'trams', null, null, 'reports_open_key', 'a reporter has one open report of a post at most'),
    (null, null, 'elm', null, null, 'a reporter of a post may also report a Hub'),
    (null, null, 'elm', null, 'reports_open_key', 'a reporter has one open report of a Hub at most')
) as c (target_user, target_post, target_hub, details, expected, title);
insert into app.reports (reporter_id, user_id, reason)
values (tests.id('ben'), tests.id('jonas'), 'spam'), (tests.id('jonas'), tests.id('tom'), 'spam');
delete from app.users where id in (tests.id('ben'), tests.id('tom'));
select bag_eq(
  'select reporter_id, user_id from app.reports where user_id is not null',
  $$ values (tests.id('maya'), tests.id('jonas')), (null, tests.id('jonas')) $$,
  'deleting a user keeps reports by the user and deletes reports about the user'
);
delete from app.posts;
select is(
  count(*), 1::bigint, 'deleting a post keeps the reports about the post'
) from app.reports where post_id is not null;
-- Comments and messages have no foreign key, so that their reports survive them (docs/product.md S8).
insert into app.reports (reporter_id, comment_id, reason) values (tests.id('maya'), tests.id('a comment'), 'spam');
insert into app.reports (reporter_id, message_id, reason) values (tests.id('maya'), tests.id('a message'), 'spam');
select is(
  tests.violation_of(format(
    'insert into app.reports (%I, %I, reason) values (%L, %L, %L)', column_1, column_2, tests.id(name_1),
    tests.id(name_2), 'hate'
  )),
  expected, title
)
from (
  values
    (
      'reporter_id', 'maya', 'comment_id', 'a comment', 'reports_open_key',
      'a reporter has one open report of a comment at most'
    ),
    (
      'reporter_id', 'maya', 'message_id', 'a message', 'reports_open_key',
      'a reporter has one open report of a message at most'
    ),
    (
      'comment_id', 'a comment', 'message_id', 'jonas', 'reports_have_one_target',
      'a report cannot have a comment and a message as targets'
    ),
    (
      'comment_id', 'a comment', 'user_id', 'jonas', 'reports_have_one_target',
      'a report cannot have a comment and a user as targets'
    )
) as c (column_1, name_1, column_2, name_2, expected, title);
select tests.close_hub('elm');
delete from app.hubs;
select isnt_empty('select from app.reports where hub_id is not null', 'deleting a Hub keeps the reports about the Hub');

select * from finish();
rollback;
