create function app.add_to_pool(p_post_id uuid, p_hub_id uuid, p_counts app.position_counts)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into app.vote_pools as base (
    post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count
  )
  values (p_post_id, p_hub_id, (p_counts).*)
  on conflict (post_id, scope_id) do update set
    strong_left_count = base.strong_left_count + excluded.strong_left_count,
    left_count = base.left_count + excluded.left_count,
    neutral_count = base.neutral_count + excluded.neutral_count,
    right_count = base.right_count + excluded.right_count,
    strong_right_count = base.strong_right_count + excluded.strong_right_count;
end
$$;
comment on function app.add_to_pool(uuid, uuid, app.position_counts) is 'Adds votes to the pool of a post in the scope of a Hub, or for null in the global one, for good.';

revoke all on function app.add_to_pool(uuid, uuid, app.position_counts) from public;
