create view app.pool_counts with (security_invoker = true) as
select
  v.post_id,
  v.scope_id,
  row(
    sum(v.strong_left_count), sum(v.left_count), sum(v.neutral_count), sum(v.right_count), sum(v.strong_right_count)
  )::app.position_counts as totals
from (
  select
    p.post_id, p.scope_id, p.strong_left_count, p.left_count, p.neutral_count, p.right_count, p.strong_right_count
  from app.vote_pools as p
  union all
  select
    s.post_id, s.scope_id, s.strong_left_count, s.left_count, s.neutral_count, s.right_count, s.strong_right_count
  from app.vote_slots as s
) as v
group by v.post_id, v.scope_id;
comment on view app.pool_counts is 'The totals of each pool that the caller may see, what was counted since the last fold included; of a scope in which nobody voted there is no row.';

grant select on app.pool_counts to anon, authenticated;
