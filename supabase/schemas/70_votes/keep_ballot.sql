create function app.keep_ballot(p_post_id uuid, p_position app.vote_position, p_hub_ids uuid[], p_key text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  -- As counts, and in steps, so that the length tells neither the position nor, up to some twenty, in how many Hubs the voter is.
  v_ballot text := jsonb_build_object('counts', app.one_vote(p_position), 'hubIds', p_hub_ids)::text;
begin
  insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
  values (
    p_post_id,
    date_trunc('hour', app.now(), 'UTC'),
    app.key_id(p_key),
    app.seal(rpad(v_ballot, 1024 * (char_length(v_ballot) / 1024 + 1)), p_key)
  );
end
$$;
comment on function app.keep_ballot(uuid, app.vote_position, uuid[], text) is 'Keeps a vote, sealed, for the pools of Hubs into which the post may be shared later. One row, however many they are.';

revoke all on function app.keep_ballot(uuid, app.vote_position, uuid[], text) from public;
