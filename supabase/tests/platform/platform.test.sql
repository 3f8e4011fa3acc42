begin;
select plan(25);
savepoint empty;

-- create_platform_policies can run again.
select lives_ok('select app.create_platform_policies()', 'create_platform_policies can run a second time');
drop policy opine_buckets_are_closed on storage.objects;
select app.create_platform_policies();
select policies_are(
  'storage', 'objects', array['opine_buckets_are_closed'],
  'create_platform_policies creates a missing policy for storage'
);

rollback to empty;

-- The policy for storage closes our buckets, whatever another app of the project opens.
-- On Supabase the schema belongs to this role, as which a reference of an object to its bucket is checked.
grant usage on schema storage to supabase_storage_admin;
insert into storage.buckets (id, name) select name, name
from unnest(array['uploads', 'photos', 'media', 'theirs']) as name
on conflict do nothing;
insert into storage.objects (bucket_id, name) select id, 'file' from storage.buckets;

-- The most permissive policy that another app could create.
create policy everything_is_open on storage.objects for all to anon, authenticated using (true) with check (true);

create function pg_temp.put(p_bucket text)
returns void
language sql
as $$ insert into storage.objects (bucket_id, name) values (p_bucket, 'another') $$;

select tests.person('maya');
select is(
  tests.value_as(caller, 'array(select bucket_id from storage.objects)'), '["theirs"]',
  who || ' sees no object in our buckets'
)
from (values (null, 'a guest'), ('maya', 'a user')) as c (caller, who);
select is(
  tests.refusal_as(caller, format('select pg_temp.put(%L)', bucket)), refusal,
  format('%s %s an object into the bucket %s', who, case when refusal is null then 'puts' else 'cannot put' end, bucket)
)
from (values (null, 'a guest'), ('maya', 'a user')) as c (caller, who)
cross join (
  values ('uploads', '42501'), ('photos', '42501'), ('media', '42501'), ('theirs', null)
) as b (bucket, refusal);
select is(
  tests.refusal_as('maya', format('update storage.objects set bucket_id = %L', bucket)), '42501',
  'a user cannot move an object into the bucket ' || bucket
)
from unnest(array['uploads', 'photos', 'media']) as bucket;
select tests.authenticate_as('maya');
update storage.objects set name = 'renamed';
delete from storage.objects;
reset role;
select set_eq(
  'select bucket_id, name from storage.objects',
  $$ values ('uploads', 'file'), ('photos', 'file'), ('media', 'file') $$,
  'a user changes and deletes objects only in buckets of another app'
);
drop policy everything_is_open on storage.objects;
insert into storage.objects (bucket_id, name) values ('theirs', 'file');
select is(
  tests.value_as(caller, 'array(select bucket_id from storage.objects)'), '[]',
  'our policy alone shows no object to ' || who
)
from (values (null, 'a guest'), ('maya', 'a user')) as c (caller, who);
select is(
  tests.refusal_as('maya', $$ select pg_temp.put('theirs') $$), '42501', 'our policy alone lets a user put no object'
);

rollback to empty;

-- The policy for Realtime lets users receive broadcasts on their own channel.
select tests.person('maya'), tests.person('jonas');
select tests.session('maya');
select tests.notification('hers', 'maya', p_actor => 'jonas'), tests.notification('his', 'jonas', p_actor => 'maya');
delete from realtime.messages;
select app.deliver_outbox('00000000-0000-0000-0000-000000000000', 10, 0);
insert into realtime.messages (topic, extension, event) values ('user:' || tests.id('maya'), 'presence', 'here');
create function pg_temp.received(p_topic text)
returns bigint
language plpgsql
as $$
begin
  perform set_config('realtime.topic', p_topic, true);
  return (select count(*) from realtime.messages where topic = p_topic);
end
$$;

select tests.authenticate_as('maya');
select is(
  pg_temp.received('user:' || tests.id('maya')), 1::bigint,
  'a user receives broadcasts and no presence on their own channel'
);
select is(
  pg_temp.received('user:' || tests.id('jonas')), 0::bigint, 'a user receives nothing on the channel of another user'
);
select throws_ok(
  $$
    insert into realtime.messages (topic, extension, event)
    values ('user:' || tests.id('maya'), 'broadcast', 'notification')
  $$,
  '42501', null, 'a user cannot send a message on their own channel'
);
select tests.authenticate_as_guest();
select is(
  pg_temp.received('user:' || tests.id('maya')), 0::bigint, 'a guest receives nothing on the channel of a user'
);
select tests.authenticate_as('maya');
reset role;
delete from app.sessions;
set local role authenticated;
select is(pg_temp.received('user:' || tests.id('maya')), 0::bigint, 'a user whose session has ended receives nothing');
reset role;
select set_eq(
  $$
    select polname::text collate "default", polcmd::text collate "default", polroles
    from pg_policy
    where polrelid = 'realtime.messages'::regclass
  $$,
  $$ values ('opine_users_receive_own_signals', 'r', array['authenticated'::regrole::oid]) $$,
  'realtime.messages has our policy for reading and no other'
);

select * from finish();
rollback;
