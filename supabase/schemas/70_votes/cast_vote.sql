create function api.cast_vote(p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_delay_from double precision := coalesce(p_args -> 'activityDelay' ->> 'from', '300');
  v_delay_to double precision := coalesce(p_args -> 'activityDelay' ->> 'to', '1800');
begin
  if current_setting('transaction_isolation') <> 'serializable' then
    raise exception 'A vote needs a serializable transaction.';
  end if;
  perform app.require_level(2);
  -- Private posts have no global pool, and Hubs have none yet.
  if app.require_slider((p_args ->> 'postId')::uuid) = 'private_locked_hub' then
    raise exception using errcode = 'PT403', message = 'VOTE_NOT_ALLOWED';
  end if;
  perform app.count_vote(
    (p_args ->> 'postId')::uuid,
    (p_args ->> 'position')::app.vote_position,
    make_interval(secs => v_delay_from + random() * (v_delay_to - v_delay_from))
  );
  return '{}';
end
$$;
comment on function api.cast_vote(jsonb) is 'POST /posts/{postId}/vote (spec.md F, "Vote rules"), its write. Takes postId, position and, from the service, activityDelay (seconds from, to: after how long, by lot, feeds show that the caller voted); answers {}, its answer is api.cast_vote_answer. Raises UNAUTHORIZED, FORBIDDEN below level 2, POST_NOT_FOUND, POST_NOT_VOTABLE, VOTE_NOT_ALLOWED on a private post, and VOTE_ALREADY_CAST by vote_receipts_pkey.';

revoke all on function api.cast_vote(jsonb) from public;
grant execute on function api.cast_vote(jsonb) to authenticated;
