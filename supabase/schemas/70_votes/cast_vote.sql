create function api.cast_vote(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_delay_from double precision := coalesce(p_args -> 'activityDelay' ->> 'from', '300')::double precision;
  v_delay_to double precision := coalesce(p_args -> 'activityDelay' ->> 'to', '1800')::double precision;
  v_level integer;
  v_post_id uuid;
begin
  v_level := app.require_level(2);
  if current_setting('transaction_isolation') <> 'serializable' then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN',
      hint = 'A vote needs a serializable transaction. Vote by the REST API: POST /posts/{postId}/vote.';
  end if;
  perform app.require_arguments(p_args, 'position');
  perform app.items_argument(p_args, 'pendingVoteKeys', 0, 16);
  if not (v_delay_from between 0 and v_delay_to and v_delay_to <= 86400) then
    perform app.refuse_argument('{activityDelay}', 'out_of_range', 'Must go up, from 0 to 86400 at most.');
  end if;
  v_post_id := (app.require_slider((p_args ->> 'postId')::uuid)).id;
  perform app.require_scope((p_args ->> 'hubId')::uuid);
  return jsonb_build_object('pendingHubIds', app.count_vote(
    v_post_id,
    app.choice_argument(p_args, 'position', variadic enum_range(null::app.vote_position)::text[])::app.vote_position,
    make_interval(secs => v_delay_from + random() * (v_delay_to - v_delay_from)),
    v_level >= 4,
    p_args -> 'pendingVoteKeys' ->> 0
  ));
end
$$;
comment on function api.cast_vote(jsonb) is 'POST /posts/{postId}/vote (spec.md F, "Vote rules"), its write. Takes postId, position, hubId (for the answer) and, from the service, activityDelay (seconds from, to: after how long, by lot, feeds show that the caller voted) and pendingVoteKeys (the first seals). Returns arguments for api.cast_vote_answer: pendingHubIds, the caller''s Hubs for which the vote waits. Raises UNAUTHORIZED, FORBIDDEN below level 2 and for a hubId that the caller is no active member of, POST_NOT_FOUND, POST_NOT_VOTABLE, VOTE_NOT_ALLOWED on a private post that is in no Hub of the caller''s, and VOTE_ALREADY_CAST.';

revoke all on function api.cast_vote(jsonb) from public;
grant execute on function api.cast_vote(jsonb) to authenticated;
