select plan(7);

select tests.person('maya'), tests.person('jonas');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'), tests.device_token('his', 'jonas');
update app.device_tokens set platform = 'android' where user_id = tests.id('jonas');
select tests.notification('one', 'maya'), tests.notification('another', 'maya'), tests.notification('to jonas', 'jonas');
insert into app.pushes (notification_id, token_hash, attempt_count) values (tests.id('one'), tests.hash('phone'), 3);
create function pg_temp.queue(p_room integer, variadic p_names text[])
returns setof jsonb
language sql
as $$
  select jsonb_array_elements(app.queue_pushes(
    array(select due from app.due_notifications as due where due.id = any (tests.ids(variadic p_names))), tests.ids('noted'), p_room
  )::jsonb)
$$;

select is_empty($$ select pg_temp.queue(0, 'one', 'to jonas') $$, 'where there is no room nothing is taken');
select bag_eq(
  'select notification_id, token_hash, attempt_count, due_at from app.pushes',
  $$
    values
      (tests.id('one'), tests.hash('phone'), 3, app.now()), (tests.id('one'), tests.hash('tablet'), 0, app.now()),
      (tests.id('to jonas'), tests.hash('his'), 0, app.now())
  $$,
  'but waits, for each device of the recipient''s once'
);
delete from app.pushes;
select results_eq(
  $$ select * from pg_temp.queue(9, 'to jonas') $$,
  $$
    select jsonb_build_object(
      'token_hash', encode(tests.hash('his'), 'hex'), 'platform', 'android', 'sealed_token', encode(tests.sealed('his'), 'base64'), 'envelope', envelope
    )
    from app.due_notifications where id = tests.id('to jonas')
  $$,
  'where there is, whoever asks has it to send'
);
select results_eq('select attempt_count, due_at from app.pushes', $$ values (1, app.now() + app.push_lease()) $$, 'and nobody else for a while');
delete from app.pushes;
select pg_temp.queue(3, 'one', 'another');
select bag_eq('select attempt_count from app.pushes', array[1, 1, 1, 0], 'as much as there is room for');
delete from app.pushes;
select tests.notification('noted', 'maya');
select is_empty($$ select pg_temp.queue(9, 'noted') $$, 'what was noted before is not noted again');
select is_empty($$ select tests.who_may('select app.queue_pushes(null, null, 1)') $$, 'no role has devices told');

select * from finish();
