create function app.vote_scope(p_hub_id uuid)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return jsonb_build_object('type', case when p_hub_id is null then 'global' else 'hub' end, 'hubId', p_hub_id);
end
$$;
comment on function app.vote_scope(uuid) is 'A scope as answers carry it: that of a Hub, or for null the global one.';

revoke all on function app.vote_scope(uuid) from public;
grant execute on function app.vote_scope(uuid) to anon, authenticated;
