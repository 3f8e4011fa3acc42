select plan(11);

select tests.person('maya', 3), tests.person('jonas');
select tests.log_in_as('nina', 'staff_support');
create function pg_temp.finds(p_query text)
returns setof text
language sql
as $$ select username::text from staff.find_accounts(p_query) $$;
select results_eq(format('select pg_temp.finds(%L)', query), array['maya'], 'maya is found by ' || what)
from (values (tests.id('maya')::text, 'her id'), (tests.phone_of('maya'), 'her whole phone'), (' @Maya ', 'her username')) as way (query, what);
select is_empty(format('select pg_temp.finds(%L)', left(tests.phone_of('maya'), -1)), 'by a part of her phone she is not');
select pg_temp.finds(substr(tests.phone_of('maya'), 2)), pg_temp.finds(' ' || substr(tests.phone_of('maya'), 2));
select is_empty($$ select pg_temp.finds('%') $$, 'nor by a pattern');
select is(phone_hint, left(tests.phone_of('maya'), 3) || '…' || right(tests.phone_of('maya'), 2), 'her phone is hidden')
from staff.accounts where username = 'maya';
select throws_ok(format('select staff.unmask_phone(%L, %L)', tests.id('maya'), ''), 'PT422', 'REASON_MISSING', 'it is shown for a reason');
select is(staff.unmask_phone(tests.id('maya'), 'she has called'), tests.phone_of('maya'), 'then it is');
reset session authorization;
select results_eq(
  $$ select details ->> 'by', details ->> 'userId', details ->> 'reason' from tests.audited('unmask_phone') as details $$,
  $$ values ('nina', tests.id('maya')::text, 'she has called') $$, 'and written down'
);
select is(count(*), 7::bigint, 'as is each look') from tests.audited('find_accounts');
select is_empty(
  $$ select from staff.audit_log where details::text ~ right(tests.phone_of('maya'), 6) $$, 'but no phone, however it is written'
);

select * from finish();
