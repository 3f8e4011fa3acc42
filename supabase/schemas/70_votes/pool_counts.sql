create view app.pool_counts with (security_invoker = true) as
select
  v.post_id,
  row(
    sum(v.strong_left_count), sum(v.left_count), sum(v.neutral_count), sum(v.right_count), sum(v.strong_right_count)
  )::app.position_counts as totals
from app.vote_pools as v
group by v.post_id;
comment on view app.pool_counts is 'The totals of each pool that the caller may see, over all its slots; of a post that nobody voted on there is no row.';

grant select on app.pool_counts to anon, authenticated;
