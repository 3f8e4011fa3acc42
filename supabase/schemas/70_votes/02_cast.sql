create function api.cast_vote(jsonb)
returns jsonb
language plpgsql
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
comment on function api.cast_vote is 'POST /posts/{postId}/vote (docs/product.md V1-V9), its write. Takes postId, position, hubId (for the answer) and, from the service, activityDelay (seconds from, to: after how long, by lot, feeds show that the caller voted) and pendingVoteKeys (the first seals). Returns arguments for api.cast_vote_answer: pendingHubIds, the caller''s Hubs for which the vote waits. Raises UNAUTHORIZED, FORBIDDEN below level 2 and for a hubId that the caller is no active member of, POST_NOT_FOUND, POST_NOT_VOTABLE, VOTE_NOT_ALLOWED on a private post that is in no Hub of the caller''s, and VOTE_ALREADY_CAST.';
grant execute on function api.cast_vote to authenticated;

create function api.cast_vote_answer(jsonb)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_pending_hub_ids uuid[] := array(select jsonb_array_elements_text(p_args -> 'pendingHubIds')::uuid);
  v_post app.posts;
begin
  select * into v_post from app.posts as p where p.id = (p_args ->> 'postId')::uuid;
  if v_pending_hub_ids <> '{}' then
    perform app.count_in_new_hubs(
      v_post.id, v_pending_hub_ids, array(select jsonb_array_elements_text(p_args -> 'pendingVoteKeys'))
    );
  end if;
  return jsonb_build_object(
    'postId', (p_args ->> 'postId')::uuid,
    'summary', app.vote_summary(app.pool_totals(v_post.id, app.displayed_hub(v_post, (p_args ->> 'hubId')::uuid)))
  );
end
$$;
comment on function api.cast_vote_answer is 'The answer to api.cast_vote, in a transaction of its own: counts the vote in Hubs into which the post was shared at the same time, and returns postId and the summary of the displayed scope. Takes the arguments of api.cast_vote and what it returned.';
grant execute on function api.cast_vote_answer to authenticated;

create function app.require_slider(p_post_id uuid)
returns app.posts
language plpgsql
stable
set search_path = ''
as $$
declare
  v_post app.posts := app.require_post(p_post_id);
begin
  if v_post.slider_text is null then
    raise exception using errcode = 'PT409', message = 'POST_NOT_VOTABLE';
  end if;
  return v_post;
end
$$;
comment on function app.require_slider is 'Lets a post pass that the caller may see and that has a slider, and answers it. Raises POST_NOT_FOUND, POST_NOT_VOTABLE.';
grant execute on function app.require_slider to anon, authenticated;

create function app.require_scope(p_hub_id uuid)
returns void
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_hub_id is null then
    return;
  end if;
  if app.user_id() is null then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  if app.level_of(app.user_id()) < 4 or not exists (select from app.my_hubs as mine where mine.hub_id = p_hub_id) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
end
$$;
comment on function app.require_scope is 'Lets whoever asks for the votes of a Hub (?hubId=) pass if they are an active member, at level 4; null, for no Hub in particular, passes for everybody. Raises FORBIDDEN, alike for Hubs that there are not (docs/product.md V11).';
grant execute on function app.require_scope to anon, authenticated;

create function app.displayed_hub(p_post app.posts, p_hub_id uuid)
returns uuid
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_hub_id is not null or p_post.is_public or app.user_id() is null then
    return p_hub_id;
  end if;
  return (select t.hub_id from app.placements as t where t.post_id = p_post.id order by t.placed_at, t.hub_id limit 1);
end
$$;
comment on function app.displayed_hub is 'In which Hub''s scope the votes on a post are shown to the caller, null for the global one: that of p_hub_id where they asked for one (app.require_scope); of a private post that of its first Hub of theirs (docs/product.md V11).';
grant execute on function app.displayed_hub to anon, authenticated;

create function app.vote_scope(p_hub_id uuid)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return jsonb_build_object('type', case when p_hub_id is null then 'global' else 'hub' end, 'hubId', p_hub_id);
end
$$;
comment on function app.vote_scope is 'A scope as answers carry it: that of a Hub, or for null the global one.';
grant execute on function app.vote_scope to anon, authenticated;

create function app.count_vote(
  p_post_id uuid, p_position app.vote_position, p_delay interval, p_is_hub_ready boolean, p_key text
)
returns uuid[]
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_post app.posts;
  v_my_hub_ids uuid[] := array(
    select m.hub_id from app.memberships as m where m.user_id = app.user_id() and p_is_hub_ready
  );
  v_hub_ids uuid[] := array(
    select p.hub_id from app.placements as p where p.post_id = p_post_id and p.hub_id = any(v_my_hub_ids)
  );
  v_other_hub_ids uuid[] := array(select mine.id from unnest(v_my_hub_ids) as mine (id) where mine.id <> all (v_hub_ids));
begin
  select * into v_post from app.posts as p where p.id = p_post_id;
  if not v_post.is_public and v_hub_ids = '{}' then
    raise exception using errcode = 'PT403', message = 'VOTE_NOT_ALLOWED';
  end if;
  -- A merge locks the voter before it moves receipts.
  perform from app.users as u where u.id = app.user_id() for key share;
  insert into app.vote_receipts (post_id, user_id, voted_at, hub_ids)
  values (p_post_id, app.user_id(), date_trunc('minute', app.now()), v_hub_ids)
  on conflict (post_id, user_id) do nothing;
  if not found then
    raise exception using errcode = 'PT409', message = 'VOTE_ALREADY_CAST';
  end if;
  insert into app.fresh_votes (post_id, user_id, hub_count)
  values (p_post_id, app.user_id(), cardinality(v_my_hub_ids));
  perform app.count_in_slots(
    p_post_id,
    case when not v_post.is_public then v_hub_ids else array_append(v_hub_ids, null) end,
    p_position
  );
  if not v_post.is_shareable then
    v_other_hub_ids := '{}';
  elsif v_other_hub_ids <> '{}' then
    perform app.store_ballot(p_post_id, p_position, v_other_hub_ids, p_key);
  end if;
  if p_delay = interval '0' then
    perform app.record_activity('voted', app.user_id(), p_post_id, app.now());
  elsif v_post.is_public then
    insert into app.feed_events (actor_id, post_id, kind, occurred_at)
    values (app.user_id(), p_post_id, 'voted', app.now() + p_delay);
  end if;
  return v_other_hub_ids;
end
$$;
comment on function app.count_vote is 'The caller''s vote on a post that they see: a receipt without position; counts without person, for everybody and for each Hub of theirs where the post is, if they are Hub-ready; a sealed ballot for their other Hubs; and an act that feeds show when p_delay is over, in the voter''s own stream: the fold brings it into those of their Hubs, at once only where there is no delay. It reads neither receipts nor counts, so that votes at once conflict in nothing; the conflict check of the receipt takes no predicate lock. Returns the Hubs for which the ballot waits. Raises VOTE_ALREADY_CAST; VOTE_NOT_ALLOWED on a private post that is in no Hub of theirs.';
grant execute on function app.count_vote to authenticated;

create function app.count_in_slots(p_post_id uuid, p_hub_ids uuid[], p_position app.vote_position)
returns void
language plpgsql
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
comment on function app.count_in_slots is 'Counts a vote in each of these scopes, null for the global one, in the slot of this backend.';

create function app.store_ballot(p_post_id uuid, p_position app.vote_position, p_hub_ids uuid[], p_key text)
returns void
language plpgsql
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
comment on function app.store_ballot is 'Keeps a vote, sealed, for the pools of Hubs into which the post may be shared later. One row, however many they are.';

create function app.one_vote(p_position app.vote_position)
returns app.position_counts
language plpgsql
immutable
set search_path = ''
as $$
begin
  return row(
    (p_position = 'strong_left')::integer,
    (p_position = 'left')::integer,
    (p_position = 'neutral')::integer,
    (p_position = 'right')::integer,
    (p_position = 'strong_right')::integer
  )::app.position_counts;
end
$$;
comment on function app.one_vote is 'The counts of a single vote.';

create function app.count_in_new_hubs(p_post_id uuid, p_hub_ids uuid[], p_keys text[])
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(app.placements_key(p_post_id));
  if exists (select from app.placements as p where p.post_id = p_post_id and p.hub_id = any (p_hub_ids)) then
    perform app.promote_pending(p_post_id, p_keys);
  end if;
end
$$;
comment on function app.count_in_new_hubs is 'After a vote was committed: waits for transactions that place the post in Hubs, and counts the vote in those of p_hub_ids in which the post is by now. A share counts the votes that it sees, and this counts a vote that neither saw the share nor was seen by it. Votes wait for shares, never for each other.';
grant execute on function app.count_in_new_hubs to authenticated;
