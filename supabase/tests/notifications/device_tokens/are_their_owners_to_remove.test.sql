select plan(6);

select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array[
  'select sealed_token from app.device_tokens',
  'insert into app.device_tokens default values',
  'update app.device_tokens set user_id = user_id'
]) as verb;
select set_eq(
  $$ select tests.who_may('delete from app.device_tokens') $$, array['authenticated'], 'signed-in people remove device tokens'
);

select tests.person('maya');
select tests.person('jonas');
select tests.act_as('jonas');
select tests.register_device('his');
select tests.act_as('maya');
select tests.register_device('hers');
select results_eq('select token_hash from app.device_tokens', array[tests.hash('hers')], 'each sees their own');
delete from app.device_tokens;
reset role;
select results_eq('select token_hash from app.device_tokens', array[tests.hash('his')], 'and removes no other');

select * from finish();
