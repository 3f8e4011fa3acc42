create function app.pool_totals(p_post_id uuid, p_hub_id uuid)
returns app.position_counts
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select v.totals from app.pool_counts as v where v.post_id = p_post_id and v.scope_id = coalesce(p_hub_id, p_post_id)
  );
end
$$;
comment on function app.pool_totals(uuid, uuid) is 'The totals of a post in the scope of a Hub, or for null in the global one; a null row where nobody has voted, and where the caller may not see it.';

revoke all on function app.pool_totals(uuid, uuid) from public;
grant execute on function app.pool_totals(uuid, uuid) to anon, authenticated;
