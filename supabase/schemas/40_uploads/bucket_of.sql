create function app.bucket_of(p_purpose app.upload_purpose)
returns text
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select case when p_purpose in ('profile_photo', 'hub_photo') then 'photos' else 'media' end;
end;
comment on function app.bucket_of(app.upload_purpose) is 'The bucket of a completed upload: photos, which everybody may read, or media, which is read by signed URLs.';

revoke all on function app.bucket_of(app.upload_purpose) from public;
grant execute on function app.bucket_of(app.upload_purpose) to authenticated;
