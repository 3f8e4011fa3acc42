begin;
select plan(16);
savepoint empty;

-- claim_report: keeps others away
select tests.person('maya'), tests.person('jonas'), tests.person('lena');
select tests.report('jonas', p_user => 'maya'), tests.report('lena', p_user => 'maya');
create function pg_temp.report()
returns uuid
language sql
as $$ select report_id from staff.report_queue $$;
select tests.log_in_as('nina', 'staff_moderator');
select lives_ok('select staff.claim_report(pg_temp.report())', 'nina looks into it');
select lives_ok('select staff.claim_report(pg_temp.report())', 'and says so again');
reset session authorization;
select tests.log_in_as('otto', 'staff_moderator');
select throws_ok(format('select staff.%s', act), 'PT409', 'REPORT_CLAIMED', format('otto leaves it to her: %s', act))
from unnest(array['claim_report(pg_temp.report())', 'release_report(pg_temp.report())', 'dismiss_report(pg_temp.report(), ''nothing'')']) as act;
reset session authorization;
set local session authorization nina;
select staff.release_report(pg_temp.report());
reset session authorization;
set local session authorization otto;
select lives_ok('select staff.dismiss_report(pg_temp.report(), ''harmless'')', 'until she lets go of it');
select throws_ok(format('select staff.claim_report(%L)', tests.id('none')), 'PT404', 'REPORT_NOT_FOUND', 'what is no open report cannot be claimed');
reset session authorization;
select results_eq(
  $$ select details ->> 'by', details ->> 'reason', jsonb_array_length(details -> 'reportIds') from tests.audited('dismiss_report') as details $$,
  $$ values ('otto', 'harmless', 2) $$, 'who decided, and why, is written down'
);

select results_eq(
  $$ select action, actor_email, details - 'reason' - 'reportIds' from staff.audit_log order by id $$,
  $$ select action, who, jsonb_build_object('targetKind', 'user', 'targetId', tests.id('maya'))
    from (values ('claim_report', 'nina'), ('claim_report', 'nina'), ('release_report', 'nina'), ('dismiss_report', 'otto')) as done (action, who) $$,
  'as is who looked into it before'
);

rollback to empty;

-- report_queue: is one row a thing
select tests.elm();
select tests.post('trams', 'maya'), tests.comment('loud', 'jonas', 'trams');
select tests.report('amara', p_comment => 'loud'), tests.report('lena', p_comment => 'loud');
select tests.report('amara', p_user => 'jonas'), tests.report('lena', p_hub => 'elm'), tests.report('jonas', p_post => 'trams');
update app.reports set details = 'She shouts.' where reporter_id = tests.id('lena') and comment_id is not null;
select tests.log_in_as('nina', 'staff_moderator');

select bag_eq(
  'select target_kind, target_name, report_count, claimed_by from staff.report_queue',
  $$ values ('comment', 'jonas', 2::bigint, null), ('user', 'jonas', 1, null), ('hub', 'elm', 1, null), ('post', 'maya', 1, null) $$,
  'all reports of a thing are decided at once'
);
select results_eq($$ select remarks from staff.report_queue where target_kind = 'comment' $$, $$ values (array['She shouts.']) $$, 'with what reporters wrote');
select is(content, (select c.content from staff.reports as c where c.target_kind = 'comment' limit 1), 'with what it says')
from staff.report_queue where target_kind = 'comment' and content <> '';
reset session authorization;
delete from app.posts where id = tests.id('trams');
set local session authorization nina;
select results_eq(
  $$ select target_kind, content from staff.report_queue where target_kind in ('post', 'comment') order by 1 $$, $$ values ('comment', ''), ('post', '') $$,
  'what is gone stays there to be decided'
);
select staff.claim_report(report_id) from staff.report_queue where target_kind = 'user';
select results_eq($$ select claimed_by from staff.report_queue where target_kind = 'user' $$, array['nina'], 'it says who looks into it');
reset session authorization;
select app.set_clock_offset('1 hour');
set local session authorization nina;
select is_empty('select from staff.report_queue where claimed_by is not null', 'for an hour');
reset session authorization;
update app.reports set state = 'closed';
select is_empty('select from staff.report_queue', 'and what is decided is gone from it');

select * from finish();
rollback;
