create function app.global_scope()
returns jsonb
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select '{"type": "global", "hubId": null}'::jsonb;
end;
comment on function app.global_scope() is 'The scope of a post''s global pool, as answers carry it.';

revoke all on function app.global_scope() from public;
grant execute on function app.global_scope() to anon, authenticated;
