-- Casts the vote of the caller, in a serializable transaction.
--
-- Args: postId, position, hubId (scope of the answer), and from the service activityDelay (from and to, in
-- seconds: the range of the random delay after which feeds show that the caller voted), activityMinimum (how
-- many votes on the post feeds show at once, at least), and pendingVoteKeys (the first one seals). Returns
-- arguments of app.cast_vote_answer: hubId, whose votes the answer shows (app.displayed_hub), and
-- pendingHubIds, the Hubs of the caller for which the vote waits.
--
-- A definer function, so that one plan for all callers reads the post: app.seen_posts says who sees it.
create function api.cast_vote(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_delay_from double precision := coalesce(p_args -> 'activityDelay' ->> 'from', '300')::double precision;
  v_delay_to double precision := coalesce(p_args -> 'activityDelay' ->> 'to', '1800')::double precision;
  v_minimum integer := coalesce(app.integer_argument(p_args, 'activityMinimum', 1, 1000000), 1);
  v_viewer_id uuid := app.user_id();
  v_level integer;
  v_position app.vote_position;
  v_post app.posts;
begin
  if v_hub_id is not null then
    perform app.require_scope(v_hub_id);
  end if;
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
  v_position := app.choice_argument(
    p_args, 'position', variadic enum_range(null::app.vote_position)::text[]
  )::app.vote_position;
  select * into v_post from app.seen_posts(v_viewer_id) as p where p.id = (p_args ->> 'postId')::uuid;
  v_post := app.with_slider(v_post);
  return jsonb_build_object(
    'hubId', app.displayed_hub(v_post, v_hub_id),
    'pendingHubIds', app.count_vote(
      v_post,
      v_position,
      make_interval(secs => v_delay_from + random() * (v_delay_to - v_delay_from)),
      v_level >= 4,
      p_args -> 'pendingVoteKeys' ->> 0,
      v_minimum > 1
    )
  );
end
$$;
comment on function api.cast_vote is 'POST /posts/{postId}/vote, its write (docs/product.md V1-V9).';
grant execute on function api.cast_vote to authenticated, opine_serializable;

-- Counts the vote in Hubs into which the post was shared concurrently, in a transaction after that of
-- api.cast_vote, which has checked what the caller may see.
--
-- Args: those of api.cast_vote and what it returned. Returns postId and the summary of the displayed scope.
create function app.cast_vote_answer(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_totals app.position_counts;
begin
  if p_args -> 'pendingHubIds' <> '[]' then
    perform app.count_in_new_hubs(
      v_post_id,
      array(select jsonb_array_elements_text(p_args -> 'pendingHubIds')::uuid),
      array(select jsonb_array_elements_text(p_args -> 'pendingVoteKeys'))
    );
  end if;
  v_totals := app.pool_totals(v_post_id, (p_args ->> 'hubId')::uuid);
  return jsonb_build_object('postId', v_post_id, 'summary', app.vote_summary(v_totals));
end
$$;
comment on function app.cast_vote_answer is 'POST /posts/{postId}/vote (docs/product.md V8, V11, V12), its answer.';

create function app.require_slider(p_post_id uuid) returns app.posts
language plpgsql stable set search_path = '' as $$
begin
  return app.with_slider(app.require_post(p_post_id));
end
$$;
comment on function app.require_slider is 'Returns a post with a slider that the caller may see (app.with_slider).';
grant execute on function app.require_slider to anon, authenticated;

-- Errors: POST_NOT_FOUND for null, POST_NOT_VOTABLE without a slider.
create function app.with_slider(p_post app.posts) returns app.posts
language plpgsql immutable set search_path = '' as $$
begin
  if p_post.id is null then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  elsif p_post.slider_text is null then
    raise exception using errcode = 'PT409', message = 'POST_NOT_VOTABLE';
  end if;
  return p_post;
end
$$;
comment on function app.with_slider is 'Returns a post that the caller has found.';
grant execute on function app.with_slider to anon, authenticated;

-- Requires the membership that ?hubId= needs; null, the default scope, passes for everybody.
--
-- Operations call it before they look a post up, so that a Hub answers alike whichever post is named.
-- Errors: as app.require_membership.
create function app.require_scope(p_hub_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_hub_id is not null then
    perform app.require_membership(p_hub_id);
  end if;
end
$$;
comment on function app.require_scope is 'Requires the membership that ?hubId= needs (docs/product.md H7, V11).';
grant execute on function app.require_scope to anon, authenticated;

create function app.earliest_hub(p_post_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (
    select t.hub_id
    from app.placements as t
    join app.my_hubs as mine on mine.hub_id = t.hub_id
    where t.post_id = p_post_id
    order by t.placed_at, t.hub_id
    limit 1
  );
end
$$;
comment on function app.earliest_hub is
  'Returns the Hub of the caller in which a post was placed first; null without one.';
grant execute on function app.earliest_hub to anon, authenticated;

create function app.displayed_hub(p_post app.posts, p_hub_id uuid) returns uuid language sql stable
return case
  when p_hub_id is not null or p_post.is_public or app.user_id() is null then p_hub_id
  else app.earliest_hub(p_post.id)
end;
comment on function app.displayed_hub is
  'Returns the Hub whose votes on a post the caller sees, null for the global scope (docs/product.md V11): p_hub_id if '
  'it is given (see app.require_scope), else for a private post the earliest Hub of the caller with the post.';
grant execute on function app.displayed_hub to anon, authenticated;

create function app.vote_scope(p_hub_id uuid) returns json language sql stable
return json_object('type': case when p_hub_id is null then 'global' else 'hub' end, 'hubId': p_hub_id);
comment on function app.vote_scope is 'Returns a scope as JSON: that of a Hub, or the global one for null.';
grant execute on function app.vote_scope to anon, authenticated;

-- Casts the vote of the caller on a post, which api.cast_vote has found.
--
-- It writes a receipt without a position; counts without a person, in the global scope of a public post and
-- in each Hub of the caller with the post (p_is_hub_ready); a sealed ballot for their other Hubs if the post
-- is shareable; and what the fold needs: it records the activity on a public post, which counts after
-- p_delay, or with others if p_is_held (app.release_votes). Without a delay the activity is recorded at once.
-- It reads neither receipts nor counts, so concurrent votes do not conflict: ON CONFLICT on the receipt takes
-- no predicate lock. Returns the Hubs for which the ballot waits. Errors: VOTE_ALREADY_CAST, VOTE_NOT_ALLOWED
-- (private post in no Hub of the caller), RATE_LIMITED.
create function app.count_vote(
  p_post app.posts, p_position app.vote_position, p_delay interval, p_is_hub_ready boolean, p_key text,
  p_is_held boolean
) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  v_user_id uuid := app.user_id();
  v_my_hub_ids uuid[] := case when p_is_hub_ready then array(
    select m.hub_id from app.memberships as m where m.user_id = v_user_id
  ) else '{}' end;
  v_hub_ids uuid[] := '{}'::uuid[];
  v_other_hub_ids uuid[] := '{}'::uuid[];
begin
  if v_my_hub_ids <> '{}' then
    v_hub_ids := array(
      select p.hub_id from app.placements as p where p.post_id = p_post.id and p.hub_id = any(v_my_hub_ids)
    );
    v_other_hub_ids := array(select mine.id from unnest(v_my_hub_ids) as mine (id) where mine.id <> all (v_hub_ids));
  end if;
  if not p_post.is_public and v_hub_ids = '{}' then
    raise exception using errcode = 'PT403', message = 'VOTE_NOT_ALLOWED';
  end if;
  -- Waits for a merge, which locks the voter before it moves receipts.
  perform from app.users as u where u.id = v_user_id for key share;
  insert into app.vote_receipts (post_id, user_id, voted_at, hub_ids)
  values (p_post.id, v_user_id, date_trunc('minute', app.now()), v_hub_ids)
  on conflict (post_id, user_id) do nothing;
  if not found then
    raise exception using errcode = 'PT409', message = 'VOTE_ALREADY_CAST';
  end if;
  insert into app.fresh_votes (post_id, user_id, hub_count, activity_at, is_held)
  values (
    p_post.id, v_user_id, cardinality(v_my_hub_ids), case when p_post.is_public then app.now() + p_delay end, p_is_held
  );
  perform app.count_in_slots(
    p_post.id,
    case when not p_post.is_public then v_hub_ids else array_append(v_hub_ids, null) end,
    p_position
  );
  if not app.is_shareable(p_post) then
    v_other_hub_ids := '{}';
  elsif v_other_hub_ids <> '{}' then
    perform app.insert_ballot(p_post.id, p_position, v_other_hub_ids, p_key);
  end if;
  if p_delay = interval '0' and not p_is_held then
    perform app.record_activity('voted', v_user_id, p_post.id, app.now());
  end if;
  perform app.use_limit('votes');
  return v_other_hub_ids;
end
$$;
comment on function app.count_vote is
  'Casts the vote of the caller on a post that they may see (docs/product.md V1-V9).';

create function app.count_in_slots(p_post_id uuid, p_hub_ids uuid[], p_position app.vote_position) returns void
language plpgsql set search_path = '' as $$
declare
  v_vote app.position_counts := app.one_vote(p_position);
begin
  insert into app.vote_slots as slot (post_id, hub_id, slot, counts)
  select p_post_id, scope.hub_id, pg_backend_pid(), v_vote
  from unnest(p_hub_ids) as scope (hub_id)
  on conflict (post_id, scope_id, slot, generation) do update set
    counts = app.add_counts(slot.counts, excluded.counts);
end
$$;
comment on function app.count_in_slots is
  'Counts a vote in each of the scopes p_hub_ids (null for the global one), in the slot of this backend.';

create function app.insert_ballot(p_post_id uuid, p_position app.vote_position, p_hub_ids uuid[], p_key text)
returns void
language plpgsql set search_path = '' as $$
declare
  -- Counts and padding keep the length from revealing the position and, up to about twenty, the number of Hubs.
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
comment on function app.insert_ballot is
  'Inserts a sealed vote for the pools of Hubs into which the post may be shared later: one row, however many Hubs.';

create function app.one_vote(p_position app.vote_position) returns app.position_counts
language sql immutable
return (
  (p_position = 'strong_left')::integer,
  (p_position = 'left')::integer,
  (p_position = 'neutral')::integer,
  (p_position = 'right')::integer,
  (p_position = 'strong_right')::integer
)::app.position_counts;
comment on function app.one_vote is 'Returns the counts of a single vote.';

-- A share counts the votes that it sees; this function counts a vote that neither saw the share nor was seen
-- by it. The lock is shared, so votes wait for shares and never for each other.
create function app.count_in_new_hubs(p_post_id uuid, p_hub_ids uuid[], p_keys text[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(app.placements_key(p_post_id));
  if exists (select from app.placements as p where p.post_id = p_post_id and p.hub_id = any (p_hub_ids)) then
    perform app.promote_pending(p_post_id, p_keys);
  end if;
end
$$;
comment on function app.count_in_new_hubs is
  'Counts a committed vote in those of p_hub_ids in which the post is by now, after it has waited for transactions '
  'that place the post.';
