create function app.own_device_tokens()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('sessionId', t.session_id, 'platform', t.platform, 'refreshedAt', app.iso(t.refreshed_at))
  from app.device_tokens as t
  where t.user_id = app.user_id()
  order by t.refreshed_at desc
  limit 100000;
end;
comment on function app.own_device_tokens() is 'Of the export: where the caller gets push messages; never the token.';

revoke all on function app.own_device_tokens() from public;
grant execute on function app.own_device_tokens() to authenticated;
