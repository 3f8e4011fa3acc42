create function app.dead_upload_keys(p_keys text[])
returns setof text
language sql
stable
security definer
set search_path = ''
begin atomic
  select given.key
  from unnest(p_keys) as given (key)
  left join app.uploads as u
    on u.id = case when given.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then given.key::uuid end
    and u.asset_id is null
    -- Somebody may still be looking at what came in time.
    and u.expires_at + interval '30 seconds' > app.now()
  where u.id is null;
end;
comment on function app.dead_upload_keys(text[]) is 'Which of these keys of the bucket uploads belong to no open upload: what lies there is of no more use.';

revoke all on function app.dead_upload_keys(text[]) from public;
grant execute on function app.dead_upload_keys(text[]) to opine_worker;
