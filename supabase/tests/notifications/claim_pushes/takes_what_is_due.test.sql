select plan(7);

select tests.person('maya'), tests.person('jonas');
select tests.device_token('phone', 'maya'), tests.device_token('his', 'jonas');
update app.device_tokens set platform = 'android' where user_id = tests.id('maya');
select tests.notification('hers', 'maya', p_actor => 'jonas'), tests.notification('his', 'jonas', p_actor => 'maya'), tests.notification('later', 'maya');
insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
values
  (tests.id('his'), tests.hash('his'), app.now(), 0), (tests.id('hers'), tests.hash('phone'), app.now() - interval '1 second', 2),
  (tests.id('later'), tests.hash('phone'), app.now() + interval '1 microsecond', 0);

create function pg_temp.message(p_name text, p_token text, p_platform text)
returns jsonb
language sql
as $$
  select jsonb_build_array(jsonb_build_object(
    'token_hash', encode(tests.hash(p_token), 'hex'), 'platform', p_platform, 'sealed_token', encode(tests.sealed(p_token), 'base64'), 'envelope', envelope
  ))
  from app.due_notifications where id = tests.id(p_name)
$$;
create temporary table claims (is_more boolean, messages jsonb);
grant insert on claims to opine_worker;
-- An index gives them in their order by itself.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
set local session authorization opine_worker;
insert into claims select is_more, messages from app.claim_pushes(1);
reset session authorization;
select results_eq('select messages from claims', $$ select pg_temp.message('hers', 'phone', 'android') $$, 'what has been due longest, and what it says');
select ok(is_more, 'there may be more') from claims;
select results_eq('select is_more, messages::jsonb from app.claim_pushes(10)', $$ select false, pg_temp.message('his', 'his', 'ios') $$, 'then the next, until there is no more');
select bag_eq(
  'select notification_id, due_at, attempt_count from app.pushes',
  $$
    values
      (tests.id('hers'), app.now() + interval '2 minutes', 3), (tests.id('his'), app.now() + interval '2 minutes', 1), (tests.id('later'), app.now() + interval '1 microsecond', 0)
  $$,
  'for two minutes nobody else takes it'
);
select app.set_clock_offset('2 minutes');
select is(count(*), 3::bigint, 'then it is tried again') from tests.claims(10);
select results_eq('select is_more, messages::jsonb from app.claim_pushes(10)', $$ values (false, '[]'::jsonb) $$, 'where nothing is due there is nothing');
select set_eq($$ select tests.who_may('select app.claim_pushes(1)') $$, array['opine_worker'], 'the worker does this');

select * from finish();
