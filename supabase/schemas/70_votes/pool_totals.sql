create function app.pool_totals(p_post_id uuid)
returns app.position_counts
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (select v.totals from app.pool_counts as v where v.post_id = p_post_id);
end
$$;
comment on function app.pool_totals(uuid) is 'The totals of a post''s pool over all its slots; a null row where nobody has voted, and where the caller may not see the post.';

revoke all on function app.pool_totals(uuid) from public;
grant execute on function app.pool_totals(uuid) to anon, authenticated;
