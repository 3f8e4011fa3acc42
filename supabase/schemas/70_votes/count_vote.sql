create function app.count_vote(p_post_id uuid, p_position app.vote_position, p_delay interval)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  insert into app.vote_receipts (post_id, user_id, voted_at)
  values (p_post_id, app.user_id(), date_trunc('minute', app.now()));
  insert into app.vote_pools as pool (
    post_id, slot, strong_left_count, left_count, neutral_count, right_count, strong_right_count
  )
  values (
    p_post_id,
    pg_backend_pid(),
    (p_position = 'strong_left')::integer,
    (p_position = 'left')::integer,
    (p_position = 'neutral')::integer,
    (p_position = 'right')::integer,
    (p_position = 'strong_right')::integer
  )
  on conflict (post_id, slot) do update set
    strong_left_count = pool.strong_left_count + excluded.strong_left_count,
    left_count = pool.left_count + excluded.left_count,
    neutral_count = pool.neutral_count + excluded.neutral_count,
    right_count = pool.right_count + excluded.right_count,
    strong_right_count = pool.strong_right_count + excluded.strong_right_count;
  perform app.note_act('voted', app.user_id(), p_post_id, app.now() + p_delay);
end
$$;
comment on function app.count_vote(uuid, app.vote_position, interval) is 'The caller''s vote: a receipt without position, a count without person, and an act that feeds show when p_delay is over. It reads neither receipts nor counts, so that votes at once conflict in nothing; a second vote breaks vote_receipts_pkey.';

revoke all on function app.count_vote(uuid, app.vote_position, interval) from public;
grant execute on function app.count_vote(uuid, app.vote_position, interval) to authenticated;
