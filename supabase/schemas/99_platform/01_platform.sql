-- Run it again after a missing service has created its tables.
--
-- Errors: 55P03 if a table stays locked for three seconds.
create function app.create_platform_policies() returns void
language plpgsql set search_path = '' set lock_timeout = '3s' as $$
begin
  -- Restrictive, because another policy of the project could open these buckets. The service bypasses
  -- policies; clients use signed URLs.
  if to_regclass('storage.objects') is not null
  and not exists (
    select from pg_policy where polrelid = to_regclass('storage.objects') and polname = 'opine_buckets_are_closed'
  ) then
    create policy opine_buckets_are_closed on storage.objects as restrictive for all to anon, authenticated
    using (bucket_id not in ('uploads', 'photos', 'media'))
    with check (bucket_id not in ('uploads', 'photos', 'media'));
  end if;
  -- Lets a user join their private channel user:<id>, to which app.deliver_outbox sends. There is no insert
  -- policy: only the service sends.
  if to_regclass('realtime.messages') is not null
  and not exists (
    select from pg_policy
    where polrelid = to_regclass('realtime.messages') and polname = 'opine_users_receive_own_signals'
  ) then
    create policy opine_users_receive_own_signals on realtime.messages for select to authenticated
    using (extension = 'broadcast' and (select app.may_subscribe((select realtime.topic()))));
  end if;
end
$$;
comment on function app.create_platform_policies is
  'Creates our policies on tables of Supabase Storage and Realtime, if the tables exist and the policies do not.';
