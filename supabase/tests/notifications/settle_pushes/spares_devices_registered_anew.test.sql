select plan(3);

select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification('one', 'maya');
update app.device_tokens set refreshed_at = app.now() - interval '1 day';
create function pg_temp.is_gone()
returns void
language sql
as $$
  delete from app.pushes;
  insert into app.pushes (notification_id, token_hash, due_at, attempt_count) values (tests.id('one'), tests.hash('phone'), app.now() + app.push_lease(), 1);
  select app.settle_pushes(jsonb_build_object('done', '[]'::jsonb, 'refused', jsonb_build_array(jsonb_build_object(
    'notificationId', tests.id('one'), 'tokenHash', tests.hex('phone'), 'isGone', true, 'failure', 'UNREGISTERED'
  ))));
$$;

update app.device_tokens set refreshed_at = app.now() + interval '1 microsecond';
select pg_temp.is_gone();
select is(count(*), 1::bigint, 'what was said of a device before it registered anew holds no longer') from app.device_tokens;
select is_empty('select from app.pushes', 'though that message is done with');
update app.device_tokens set refreshed_at = app.now();
select pg_temp.is_gone();
select is_empty('select from app.device_tokens', 'what was said of it since holds');

select * from finish();
