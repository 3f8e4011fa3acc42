create function app.fold_votes()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  with folded as (
    delete from app.vote_pools where slot <> 0 returning *
  ),
  counted as (
    select
      post_id, sum(strong_left_count + left_count + neutral_count + right_count + strong_right_count) as count
    from folded
    group by post_id
  ),
  warmer as (
    update app.posts as p
    set trending_at = app.warmed(p.trending_at, c.count::double precision)
    from counted as c
    where p.id = c.post_id
  )
  insert into app.vote_pools as base (
    post_id, slot, strong_left_count, left_count, neutral_count, right_count, strong_right_count
  )
  select post_id, 0, sum(strong_left_count), sum(left_count), sum(neutral_count), sum(right_count), sum(strong_right_count)
  from folded
  group by post_id
  on conflict (post_id, slot) do update set
    strong_left_count = base.strong_left_count + excluded.strong_left_count,
    left_count = base.left_count + excluded.left_count,
    neutral_count = base.neutral_count + excluded.neutral_count,
    right_count = base.right_count + excluded.right_count,
    strong_right_count = base.strong_right_count + excluded.strong_right_count;
end;
comment on function app.fold_votes() is 'Upkeep: moves what the slots counted into the base row of each post, and lets trending know of it. One statement, so that every reader sees a vote exactly once.';

revoke all on function app.fold_votes() from public;
grant execute on function app.fold_votes() to opine_worker;
