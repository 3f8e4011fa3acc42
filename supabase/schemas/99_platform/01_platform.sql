create function app.create_platform_policies()
returns void
language plpgsql
set search_path = ''
set lock_timeout = '3s'
as $$
begin
  -- Restrictive, so that no other policy of a project opens these buckets. The service bypasses policies; clients use signed URLs.
  if to_regclass('storage.objects') is not null
  and not exists (select from pg_policy where polrelid = to_regclass('storage.objects') and polname = 'opine_buckets_are_closed') then
    create policy opine_buckets_are_closed on storage.objects as restrictive for all to anon, authenticated
    using (bucket_id not in ('uploads', 'photos', 'media'))
    with check (bucket_id not in ('uploads', 'photos', 'media'));
  end if;
  -- Lets a member join the private channel user:<id>, on which app.publish_signals sends. Only the service sends: there is no policy to insert.
  if to_regclass('realtime.messages') is not null
  and not exists (select from pg_policy where polrelid = to_regclass('realtime.messages') and polname = 'opine_people_hear_what_is_theirs') then
    create policy opine_people_hear_what_is_theirs on realtime.messages for select to authenticated
    using (extension = 'broadcast' and (select app.may_subscribe((select realtime.topic()))));
  end if;
end
$$;
comment on function app.create_platform_policies is 'Creates our policies on tables of Supabase Storage and Realtime where these tables exist and the policies do not. Run it again once a service that was missing has made its tables. Raises 55P03 after three seconds if a table is locked.';
