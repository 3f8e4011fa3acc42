select plan(8);

select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.use(p_caller text, p_role app.hub_role default 'member')
returns text
language sql
as $$ select tests.refusal_of(p_caller, format('select app.require_member(tests.id(%L), %L)', 'elm', p_role)) $$;

create function pg_temp.seen()
returns setof timestamptz
language sql
as $$ select m.seen_at from app.memberships as m where m.seen_at is not null $$;

select pg_temp.use('jonas', 'admin'), pg_temp.use('lena');
select is_empty('select pg_temp.seen()', 'who is refused was not there');
select pg_temp.use('jonas');
select results_eq(
  'select hub_id, user_id, seen_at from app.memberships where seen_at is not null',
  $$ values (tests.id('elm'), tests.id('jonas'), app.now()) $$, 'a member is seen now, in this Hub'
);
select app.set_clock_offset('4 minutes 59 seconds');
select pg_temp.use('jonas');
select results_eq('select pg_temp.seen()', 'values (now())', 'for five minutes');
select app.set_clock_offset('5 minutes');
select pg_temp.use('jonas');
select results_eq('select pg_temp.seen()', $$ values (now() + interval '5 minutes') $$, 'then anew');
select pg_temp.use('maya');
select results_eq(
  $$ select seen_at from app.memberships where user_id in (tests.id('jonas'), tests.id('maya')) and seen_at is not null $$,
  $$ values (now() + interval '5 minutes'), (now() + interval '5 minutes') $$, 'others are seen by themselves'
);
select is((select count(*) from pg_temp.seen()), 2::bigint, 'and nobody else');
select results_eq('select sum(member_count) from app.hub_presence', array[2::bigint], 'each once');
select tests.refusal_of('amara', $$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$);
select is((select count(*) from pg_temp.seen()), 3::bigint, 'nor by moves, which no policy keeps from others''');

select * from finish();
