create function app.move_relations(p_from uuid, p_into uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  with gone as (
    delete from app.blocks as b where p_from = b.blocker_id or p_from = b.blocked_id returning b.*
  )
  insert into app.blocks (blocker_id, blocked_id, created_at)
  select moved.blocker_id, moved.blocked_id, moved.created_at
  from (
    select
      case gone.blocker_id when p_from then p_into else gone.blocker_id end as blocker_id,
      case gone.blocked_id when p_from then p_into else gone.blocked_id end as blocked_id,
      gone.created_at
    from gone
  ) as moved
  where moved.blocker_id <> moved.blocked_id
  on conflict do nothing;

  with gone as (
    delete from app.follows as f where p_from = f.follower_id or p_from = f.followee_id returning f.*
  )
  insert into app.follows (follower_id, followee_id, is_muted, created_at)
  select moved.follower_id, moved.followee_id, moved.is_muted, moved.created_at
  from (
    select
      case gone.follower_id when p_from then p_into else gone.follower_id end as follower_id,
      case gone.followee_id when p_from then p_into else gone.followee_id end as followee_id,
      gone.is_muted, gone.created_at
    from gone
  ) as moved
  where moved.follower_id <> moved.followee_id
  on conflict do nothing;

  -- A block that has moved meets follows of the other account.
  delete from app.follows as f
  using app.blocks as b
  where (p_into = b.blocker_id or p_into = b.blocked_id)
    and ((f.follower_id = b.blocker_id and f.followee_id = b.blocked_id)
      or (f.follower_id = b.blocked_id and f.followee_id = b.blocker_id));
end
$$;
comment on function app.move_relations(uuid, uuid) is 'Makes the blocks and follows of p_from those of p_into, on either side; none of oneself, and no follow where there is a block.';

revoke all on function app.move_relations(uuid, uuid) from public;
