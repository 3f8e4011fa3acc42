create function app.global_scope()
returns jsonb
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return '{"type": "global", "hubId": null}';
end
$$;
comment on function app.global_scope() is 'The scope of a post''s global pool, as answers carry it.';

revoke all on function app.global_scope() from public;
grant execute on function app.global_scope() to anon, authenticated;
