begin;
select plan(23);
savepoint empty;

-- A claim keeps other staff from the reports of a target (docs/product.md S9).
select tests.person('maya'), tests.person('jonas'), tests.person('lena');
select tests.report('jonas', p_user => 'maya'), tests.report('lena', p_user => 'maya'),
  tests.report('maya', p_user => 'maya');
update app.reports set state = 'actioned' where reporter_id = user_id;
create function pg_temp.report()
returns uuid
language sql
as $$ select report_id from staff.report_queue $$;
select tests.log_in_as('nina', 'staff_moderator');
select lives_ok('select staff.claim_report(pg_temp.report())', 'a moderator claims an open report');
select lives_ok('select staff.claim_report(pg_temp.report())', 'a moderator renews their own claim');
reset session authorization;
select tests.log_in_as('otto', 'staff_moderator');
select throws_ok(format('select staff.%s', call), 'PT409', 'REPORT_CLAIMED', 'another moderator cannot ' || what)
from (
  values
    ('claim_report(pg_temp.report())', 'claim a claimed report'),
    ('release_report(pg_temp.report())', 'release a claimed report'),
    ('dismiss_report(pg_temp.report(), ''nothing'')', 'dismiss a claimed report')
) as c (call, what);
reset session authorization;
set local session authorization nina;
select staff.release_report(pg_temp.report());
reset session authorization;
set local session authorization otto;
select staff.claim_report(pg_temp.report());
select lives_ok(
  'select staff.dismiss_report(pg_temp.report(), ''harmless'')', 'another moderator dismisses a released report'
);
select throws_ok(
  format('select staff.claim_report(%L)', tests.id('none')), 'PT404', 'REPORT_NOT_FOUND',
  'claim_report finds no unknown report'
);
reset session authorization;
select bag_eq(
  'select state::text from app.reports', array['dismissed', 'dismissed', 'actioned'],
  'a dismissal closes all open reports of the target as dismissed, and leaves those that were closed before'
);
select is_empty('select from staff.claims', 'a dismissal ends the claim of the target');
select results_eq(
  $$
    select details ->> 'by', details ->> 'reason', jsonb_array_length(details -> 'reportIds')
    from tests.audit_entries('dismiss_report') as details
  $$,
  $$ values ('otto', 'harmless', 2) $$, 'the audit log has author, reason and reports of a dismissal'
);
select results_eq(
  $$ select action, actor_email, details - 'reason' - 'reportIds' from staff.audit_log order by id $$,
  $$
    select action, actor, jsonb_build_object('targetKind', 'user', 'targetId', tests.id('maya'))
    from (
      values ('claim_report', 'nina'), ('claim_report', 'nina'), ('release_report', 'nina'), ('claim_report', 'otto'),
        ('dismiss_report', 'otto')
    ) as done (action, actor)
  $$,
  'the audit log has claims, releases and dismissals with their target'
);

rollback to empty;

-- staff.report_queue has one row for all open reports of a target (docs/product.md S9).
select tests.elm();
select tests.post('trams', 'maya'), tests.comment('loud', 'jonas', 'trams');
select tests.report('amara', p_comment => 'loud'), tests.report('lena', p_comment => 'loud');
select tests.report('amara', p_user => 'jonas'), tests.report('lena', p_hub => 'elm'),
  tests.report('jonas', p_post => 'trams');
update app.reports set details = 'She shouts.' where reporter_id = tests.id('lena') and comment_id is not null;
select tests.log_in_as('nina', 'staff_moderator');

select bag_eq(
  'select target_kind::text, target_name, report_count, claimed_by from staff.report_queue',
  $$
    values ('comment', 'jonas', 2::bigint, null), ('user', 'jonas', 1, null), ('hub', 'elm', 1, null),
    ('post', 'maya', 1, null)
  $$,
  'the report queue has one row for each reported target'
);
select results_eq(
  $$ select remarks from staff.report_queue where target_kind = 'comment' $$, $$ values (array['She shouts.']) $$,
  'the report queue shows the remarks of reporters'
);
select results_eq(
  $$ select content from staff.report_queue where target_kind = 'comment' $$, array['loud'],
  'the report queue shows the reported content'
);
reset session authorization;
delete from app.posts where id = tests.id('trams');
set local session authorization nina;
select results_eq(
  $$ select target_kind::text, content from staff.report_queue where target_kind in ('post', 'comment') order by 1 $$,
  $$ values ('comment', 'loud'), ('post', 'trams') $$, 'the report queue shows deleted targets as they were reported'
);
select staff.claim_report(report_id) from staff.report_queue where target_kind = 'user';
select results_eq(
  $$ select claimed_by from staff.report_queue where target_kind = 'user' $$, array['nina'],
  'the report queue shows who claimed a report'
);
reset session authorization;
select app.set_clock_offset('59 minutes 59 seconds');
select isnt_empty(
  'select from staff.report_queue where claimed_by is not null', 'a claim of a report holds for just less than an hour'
);
set local session authorization nina;
select staff.claim_report(report_id) from staff.report_queue where target_kind = 'hub';
select staff.claim_report(report_id) from staff.report_queue where target_kind = 'user';
reset session authorization;
select app.set_clock_offset('1 hour');
update staff.claims set claimed_at = app.now() - interval '1 hour' where target_id = tests.id('elm');
set local session authorization nina;
select results_eq(
  'select target_kind::text from staff.report_queue where claimed_by is not null', array['user'],
  'a claim of a report expires after an hour, unless it is renewed'
);
reset session authorization;
update app.reports set state = case when hub_id is null then 'dismissed' else 'actioned' end::app.report_state;
select is_empty('select from staff.report_queue', 'the report queue leaves out closed reports');

rollback to empty;

-- A row of the queue is known by its oldest report, and shows the last five remarks.
select tests.person('maya'), tests.post('trams', 'maya');
select tests.person('reader_' || n), tests.report('reader_' || n, p_post => 'trams') from generate_series(1, 6) as n;
update app.reports set details = reporter_id::text;
select results_eq(
  'select report_id from staff.report_queue', 'select id from app.reports order by id limit 1',
  'the report queue names the oldest report of a target'
);
select results_eq(
  'select remarks from staff.report_queue',
  'select array(select r.details from app.reports as r order by r.id desc limit 5)',
  'the report queue shows the five last remarks about a target'
);

rollback to empty;

-- staff.reports says whether a target still exists.
select tests.elm();
select tests.post(name, 'maya') from unnest(array['there', 'removed', 'gone']) as name;
select tests.discussion('talk', 'amara', 'elm');
select tests.message(name, 'maya', 'talk in elm') from unnest(array['said', 'taken back', 'with its root']) as name;
select tests.report('jonas', p_post => name) from unnest(array['there', 'removed', 'gone']) as name;
select tests.report('amara', p_message => name) from unnest(array['said', 'taken back', 'with its root']) as name;
select app.hide_post(tests.id('removed'));
delete from app.posts where id = tests.id('gone');
update app.messages set author_id = null, body = null where id = tests.id('taken back');
delete from app.messages where id = tests.id('with its root');
select results_eq(
  'select target_id, is_gone from staff.reports order by target_id',
  $$
    select tests.id(name), is_gone
    from (values
      ('there', false), ('removed', true), ('gone', true), ('said', false), ('taken back', true),
      ('with its root', true)
    ) as c (name, is_gone)
    order by 1
  $$,
  'posts and messages that were removed or deleted are gone for staff, others are not'
);

rollback to empty;

-- staff.reported_assets has the files of every report of a target.
select tests.person('maya'), tests.person('jonas'), tests.person('lena');
select tests.asset(name, 'maya', 'profile_photo') from unnest(array['first', 'second', 'third', 'never']) as name;
select tests.post('trams', 'maya'), tests.report('jonas', p_post => 'trams');
create function pg_temp.set_photo(p_name text)
returns void
language sql
as $$ update app.profiles set photo_asset_id = tests.id(p_name) where user_id = tests.id('maya') $$;
select pg_temp.set_photo('first'), tests.report('jonas', p_user => 'maya');
select pg_temp.set_photo('second'), tests.report('lena', p_user => 'maya');
select pg_temp.set_photo('third');
select set_eq(
  format('select id from staff.reported_assets(%L)', r.id), tests.ids('first', 'second', 'third'),
  'staff sees the photos of a reported person at each report and now'
)
from app.reports as r
where r.user_id = tests.id('maya') and r.reporter_id = tests.id('lena');

select * from finish();
rollback;
