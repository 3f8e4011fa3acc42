create function app.pool_totals(p_post_id uuid, p_hub_id uuid)
returns app.position_counts
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_totals app.position_counts;
begin
  if p_hub_id is not null
    and not exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id = app.user_id()) then
    return null;
  end if;
  select
    sum(v.strong_left_count)::bigint, sum(v.left_count)::bigint, sum(v.neutral_count)::bigint, sum(v.right_count)::bigint,
    sum(v.strong_right_count)::bigint
  into v_totals
  from (
    select p.strong_left_count, p.left_count, p.neutral_count, p.right_count, p.strong_right_count
    from app.vote_pools as p
    where p.post_id = p_post_id and p.scope_id = coalesce(p_hub_id, p_post_id)
    union all
    select s.strong_left_count, s.left_count, s.neutral_count, s.right_count, s.strong_right_count
    from app.vote_slots as s
    where s.post_id = p_post_id and s.scope_id = coalesce(p_hub_id, p_post_id)
  ) as v;
  return v_totals;
end
$$;
comment on function app.pool_totals(uuid, uuid) is 'The totals of a post that the caller sees, in the scope of a Hub of theirs, or for null in the global one: what is folded and what is not. A null row where nobody has voted. It reads counts, which no policy shows; the post is for the caller to read under theirs.';

revoke all on function app.pool_totals(uuid, uuid) from public;
grant execute on function app.pool_totals(uuid, uuid) to anon, authenticated;
