select plan(9);

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

select * from finish();
