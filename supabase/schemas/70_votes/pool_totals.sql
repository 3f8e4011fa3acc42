create function app.pool_totals(p_post_id uuid)
returns app.position_counts
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_totals app.position_counts;
begin
  select
    coalesce(sum(v.strong_left_count), 0),
    coalesce(sum(v.left_count), 0),
    coalesce(sum(v.neutral_count), 0),
    coalesce(sum(v.right_count), 0),
    coalesce(sum(v.strong_right_count), 0)
  into v_totals
  from app.vote_pools as v
  where v.post_id = p_post_id;
  return v_totals;
end
$$;
comment on function app.pool_totals(uuid) is 'The totals of a post''s pool over all its slots; zeros where the caller may not see the post.';

revoke all on function app.pool_totals(uuid) from public;
grant execute on function app.pool_totals(uuid) to anon, authenticated;
