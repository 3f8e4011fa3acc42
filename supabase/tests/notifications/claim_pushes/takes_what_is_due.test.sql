select plan(5);

select tests.person('maya'), tests.person('jonas');
select tests.device_token('phone', 'maya'), tests.device_token('his', 'jonas');
update app.device_tokens set platform = 'android' where user_id = tests.id('maya');
select tests.notification('hers', 'maya', p_actor => 'jonas'), tests.notification('his', 'jonas', p_actor => 'maya'), tests.notification('later', 'maya');
insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
values
  (tests.id('his'), tests.hash('his'), app.now(), 0), (tests.id('hers'), tests.hash('phone'), app.now() - interval '1 second', 2),
  (tests.id('later'), tests.hash('phone'), app.now() + interval '1 microsecond', 0);

create function pg_temp.rows(p_name text, p_token text, p_attempt_count integer, p_platform app.device_platform)
returns setof app.claimed_push
language sql
as $$ select tests.id(p_name), tests.hash(p_token), p_attempt_count, p_platform, tests.sealed(p_token), envelope from app.envelopes where id = tests.id(p_name) $$;
create temporary table claims (claim app.claimed_push);
grant insert on claims to opine_worker;
-- An index gives them in their order by itself.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
set local session authorization opine_worker;
insert into claims select c from app.claim_pushes(1) as c;
reset session authorization;
select results_eq('select (claim).* from claims', $$ select * from pg_temp.rows('hers', 'phone', 3, 'android') $$, 'what has been due longest, with what it says');
select results_eq('select * from app.claim_pushes(10)', $$ select * from pg_temp.rows('his', 'his', 1, 'ios') $$, 'then the next');
select bag_eq(
  'select notification_id, due_at, attempt_count from app.pushes',
  $$
    values
      (tests.id('hers'), app.now() + interval '2 minutes', 3), (tests.id('his'), app.now() + interval '2 minutes', 1), (tests.id('later'), app.now() + interval '1 microsecond', 0)
  $$,
  'for two minutes nobody else takes it'
);
select app.set_clock_offset('2 minutes');
select is(count(*), 3::bigint, 'then it is tried again') from app.claim_pushes(10);
select set_eq($$ select tests.who_may('select app.claim_pushes(1)') $$, array['opine_worker'], 'the worker does this');

select * from finish();
