create function app.own_sessions()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', s.id,
    'kind', s.device_kind,
    'createdAt', app.iso(s.created_at),
    'lastUsedAt', app.iso(s.last_used_at),
    'isCurrent', s.id = app.session_id()
  )
  from app.sessions as s
  where s.user_id = app.user_id()
  order by s.last_used_at desc, s.id desc;
end;
comment on function app.own_sessions() is 'The caller''s live sessions, last used first (docs/decisions/015-own-data.md): what of each helps them to recognise it.';

revoke all on function app.own_sessions() from public;
grant execute on function app.own_sessions() to authenticated;
