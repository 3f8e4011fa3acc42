select plan(9);

select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.refusal_of(p_caller text, p_user text, p_role app.hub_role default 'admin', p_hidden text default null)
returns text
language sql
as $$
  select tests.refusal_of(
    p_caller, format('select app.put_role(tests.id(%L), tests.id(%L), %L, %L)', 'elm', p_user, p_role, p_hidden)
  )
$$;

select is(pg_temp.refusal_of('maya', 'maya'), 'PT403 FORBIDDEN', 'a manager does not make themselves an admin');
select is(pg_temp.refusal_of('jonas', 'jonas', 'manager'), 'PT403 FORBIDDEN', 'nor a member a manager');
select is(pg_temp.refusal_of('lena', 'jonas'), 'PT403 FORBIDDEN', 'an outsider is told that they are one');
select is(pg_temp.refusal_of('lena', 'jonas', 'member', 'MEMBER_NOT_FOUND'), 'PT404 MEMBER_NOT_FOUND', 'or that there is no such member');
select is(pg_temp.refusal_of(null, 'jonas'), '42501', 'a guest changes nothing');
select is(pg_temp.refusal_of('amara', 'lena'), 'PT404 MEMBER_NOT_FOUND', 'an admin gives no role to an outsider');
select is(pg_temp.refusal_of('amara', 'nobody'), 'PT404 MEMBER_NOT_FOUND', 'nor to nobody');
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'all stay what they are');
select set_eq($$ select tests.who_may('select app.put_role(null, null, null)') $$, array['authenticated'], 'who has a session may try');

select * from finish();
