select plan(6);

select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.refusals(p_role app.hub_role)
returns text[]
language sql
as $$
  select array_agg(tests.refusal_of(caller, format('select app.require_member(tests.id(%L), %L)', 'elm', p_role)) order by place)
  from unnest(array['amara', 'maya', 'jonas', 'lena']) with ordinality as actor (caller, place)
$$;

select is(pg_temp.refusals('member'), array[null, null, null, 'PT403 FORBIDDEN'], 'members pass, outsiders do not');
select is(pg_temp.refusals('manager'), array[null, null, 'PT403 FORBIDDEN', 'PT403 FORBIDDEN'], 'where it takes a manager, admins pass as well');
select is(pg_temp.refusals('admin'), array[null, 'PT403 FORBIDDEN', 'PT403 FORBIDDEN', 'PT403 FORBIDDEN'], 'where it takes an admin, nobody else does');
select is(
  tests.refusal_of('jonas', $$ select app.require_member(tests.id('elm')) $$), null, 'a member is enough where nothing is said'
);
select tests.act_as('maya');
select is(app.require_member(tests.id('elm')), 'manager', 'who passes is told their role');
reset role;
select set_eq($$ select tests.who_may('select app.require_member(null)') $$, array['authenticated'], 'operations of members ask');

select * from finish();
