select plan(7);

select tests.person('maya', 3);
create function pg_temp.unmask(p_name text default 'maya', p_reason text default 'she has called')
returns text
language sql
as $$ select staff.unmask_phone(tests.id(p_name), p_reason) $$;
select tests.log_in_as('nina', 'staff_support');
select throws_ok($$ select pg_temp.unmask(p_reason => ' ') $$, 'PT422', 'REASON_MISSING', 'a phone is shown for a reason');
select throws_ok($$ select pg_temp.unmask('none') $$, 'PT404', 'USER_NOT_FOUND', 'and of somebody');
savepoint asked;
select matches(pg_temp.unmask(), '^Written down', 'it is not told in a transaction that may be rolled back');
release savepoint asked;
select matches(pg_temp.unmask(), '^Written down', 'though it is asked for twice');
reset session authorization;
update staff.audit_log set occurred_at = occurred_at - interval '1 minute';
set local session authorization nina;
select is(pg_temp.unmask(), tests.phone_of('maya'), 'but in a later one');
reset session authorization;
select tests.log_in_as('olga', 'staff_support');
select matches(pg_temp.unmask(), '^Written down', 'to her who has asked');
reset session authorization;
select results_eq(
  $$ select details ->> 'by', details ->> 'userId', details ->> 'reason' from tests.audited('unmask_phone') as details $$,
  $$ select by, tests.id('maya')::text, 'she has called' from unnest(array['nina', 'nina', 'nina', 'olga']) as by $$, 'and each time is written down'
);

select * from finish();
