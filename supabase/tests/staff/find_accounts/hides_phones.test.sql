select plan(8);

select tests.person('maya', 3), tests.person('jonas');
select tests.log_in_as('nina', 'staff_support');
create function pg_temp.finds(p_query text)
returns setof text
language sql
as $$ select username::text from staff.find_accounts(p_query) $$;
select results_eq(format('select pg_temp.finds(%L)', query), array['maya'], 'maya is found by ' || what)
from (values (tests.id('maya')::text, 'her id'), (tests.phone_of('maya'), 'her whole phone'), (' @Maya ', 'her username')) as way (query, what);
select is_empty(format('select pg_temp.finds(%L)', left(tests.phone_of('maya'), -1)), 'by a part of her phone she is not');
select pg_temp.finds('tel:' || tests.phone_of('maya')), pg_temp.finds('Maya, ' || tests.phone_of('maya'));
select pg_temp.finds(substr(tests.phone_of('maya'), 2)), pg_temp.finds(' ' || substr(tests.phone_of('maya'), 2));
select is_empty($$ select pg_temp.finds('%') $$, 'nor by a pattern');
select is(phone_hint, left(tests.phone_of('maya'), 3) || '…' || right(tests.phone_of('maya'), 2), 'her phone is hidden')
from staff.accounts where username = 'maya';
reset session authorization;
select is(count(*), 9::bigint, 'each look is written down') from tests.audited('find_accounts');
select is_empty(
  $$ select from staff.audit_log where details::text ~ right(tests.phone_of('maya'), 6) $$, 'but no phone, however it is written'
);

select * from finish();
