select plan(5);

select tests.person('maya'), tests.person('jonas'), tests.person('tomas');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya'), tests.device_token('his', 'jonas');
update app.device_tokens set platform = 'android' where user_id = tests.id('jonas');
select tests.notification('one', 'maya'), tests.notification('another', 'maya'), tests.notification('to jonas', 'jonas'), tests.notification('to tomas', 'tomas');
create temporary table taken as
select message.value as message
from jsonb_array_elements(
  app.take_pushes(array(select due from app.due_notifications as due where due.id = any (tests.ids('one', 'to jonas', 'to tomas'))))::jsonb
) as message;

select bag_eq(
  'select message ->> ''token_hash'' from taken', array[tests.hex('phone'), tests.hex('tablet'), tests.hex('his')], 'each device of the recipients'
);
select results_eq(
  $$
    select message from taken where message ->> 'token_hash' = tests.hex('his')
  $$,
  $$
    select jsonb_build_object(
      'token_hash', encode(tests.hash('his'), 'hex'), 'platform', 'android', 'sealed_token', encode(tests.sealed('his'), 'base64'), 'envelope', envelope
    )
    from app.due_notifications where id = tests.id('to jonas')
  $$,
  'whoever asks has them to send'
);
select bag_eq(
  'select notification_id, is_told, due_at from app.outbox',
  $$
    values
      (tests.id('one'), true, app.now() + app.push_lease()), (tests.id('to jonas'), true, app.now() + app.push_lease()),
      (tests.id('another'), false, app.now()), (tests.id('to tomas'), false, app.now())
  $$,
  'and nobody else for a while'
);
select is(app.take_pushes('{}')::text, '[]', 'of nothing, nothing');
select is_empty($$ select tests.who_may('select app.take_pushes(null)') $$, 'no role takes what it likes');

select * from finish();
