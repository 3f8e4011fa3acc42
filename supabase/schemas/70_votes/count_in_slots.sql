create function app.count_in_slots(p_post_id uuid, p_hub_ids uuid[], p_position app.vote_position)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_vote app.position_counts := app.one_vote(p_position);
begin
  insert into app.vote_slots as counted (
    post_id, hub_id, slot, strong_left_count, left_count, neutral_count, right_count, strong_right_count
  )
  select p_post_id, scope.hub_id, pg_backend_pid(), (v_vote).*
  from unnest(p_hub_ids) as scope (hub_id)
  on conflict (post_id, scope_id, slot, generation) do update set
    strong_left_count = counted.strong_left_count + excluded.strong_left_count,
    left_count = counted.left_count + excluded.left_count,
    neutral_count = counted.neutral_count + excluded.neutral_count,
    right_count = counted.right_count + excluded.right_count,
    strong_right_count = counted.strong_right_count + excluded.strong_right_count;
end
$$;
comment on function app.count_in_slots(uuid, uuid[], app.vote_position) is 'Counts a vote in each of these scopes, null for the global one, in the slot of this backend.';

revoke all on function app.count_in_slots(uuid, uuid[], app.vote_position) from public;
