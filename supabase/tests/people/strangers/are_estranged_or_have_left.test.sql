select plan(6);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
insert into app.blocks (blocker_id, blocked_id, created_at)
values (tests.id('maya'), tests.id('jonas'), app.now() - interval '1 day'), (tests.id('lena'), tests.id('maya'), app.now() - interval '2 days');
select app.end_user(tests.id('ann'));
update app.departures set departed_at = app.now() - interval '3 days';

create function pg_temp.since(p_name text, p_days integer)
returns table (user_id uuid, since timestamptz)
language sql
as $$ select tests.id(p_name), app.now() - p_days * interval '1 day' $$;

select tests.act_as('maya');
select set_eq(
  'select user_id, since from app.strangers',
  $$ select * from pg_temp.since('jonas', 1) union all select * from pg_temp.since('lena', 2) union all select * from pg_temp.since('ann', 3) $$,
  'whom the caller has blocked, who has blocked the caller, and who has left, and since when'
);
select set_eq(
  'select user_id, since from app.estranged', $$ select * from pg_temp.since('jonas', 1) union all select * from pg_temp.since('lena', 2) $$, 'the first two are estranged'
);
select set_eq('select user_id, since from app.blockers', $$ select * from pg_temp.since('lena', 2) $$, 'the second are blockers');
select tests.act_as('jonas');
select set_eq('select user_id from app.strangers', tests.ids('maya', 'ann'), 'to each their own');
select tests.act_as_guest();
select set_eq('select user_id from app.strangers', tests.ids('ann'), 'to a guest who has left');
reset role;
select set_eq($$ select tests.who_may('select from app.strangers') $$, array['anon', 'authenticated'], 'policies ask for it in the name of every caller');

select * from finish();
