select plan(8);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'olaf']) as name;
insert into app.blocks (blocker_id, blocked_id, created_at)
values (tests.id('maya'), tests.id('jonas'), app.now() - interval '1 day'), (tests.id('lena'), tests.id('maya'), app.now() - interval '2 days');
select app.end_user(tests.id('ann'));
update app.departures set departed_at = app.now() - interval '3 days';
insert into app.suspensions (user_id, suspended_at) values (tests.id('olaf'), app.now() - interval '4 days');

create function pg_temp.since(p_name text, p_days integer)
returns table (user_id uuid, since timestamptz)
language sql
as $$ select tests.id(p_name), app.now() - p_days * interval '1 day' $$;

select tests.act_as('maya');
select set_eq(
  'select user_id, since from app.hidden_users',
  $$
    select * from pg_temp.since('jonas', 1) union all select * from pg_temp.since('lena', 2)
    union all select * from pg_temp.since('ann', 3) union all select * from pg_temp.since('olaf', 4)
  $$,
  'hidden from the caller: blocked by them, blocking them, deleted, suspended, and since when'
);
select set_eq(
  'select user_id, since from app.blocked_users', $$ select * from pg_temp.since('jonas', 1) union all select * from pg_temp.since('lena', 2) $$,
  'the first two are blocked users'
);
select set_eq('select user_id, since from app.blockers', $$ select * from pg_temp.since('lena', 2) $$, 'the second is a blocker');
select set_eq(
  'select user_id, since from app.users_hidden_from_all', $$ select * from pg_temp.since('ann', 3) union all select * from pg_temp.since('olaf', 4) $$,
  'the last two are hidden from everybody'
);
select tests.act_as('jonas');
select set_eq('select user_id from app.hidden_users', tests.ids('maya', 'ann', 'olaf'), 'another caller has blocks of their own');
select tests.act_as_guest();
select set_eq('select user_id from app.hidden_users', tests.ids('ann', 'olaf'), 'a guest has none');
reset role;
select set_eq(
  format('select tests.who_may(%L)', 'select from app.' || relation), array['anon', 'authenticated'], 'policies read ' || relation || ' in the name of every caller'
)
from unnest(array['hidden_users', 'users_hidden_from_all']) as relation;

select * from finish();
