select plan(4);

select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array[
  'select from app.device_tokens',
  'insert into app.device_tokens default values',
  'update app.device_tokens set user_id = user_id',
  'delete from app.device_tokens'
]) as verb;

select * from finish();
