create function app.count_vote(
  p_post_id uuid, p_position app.vote_position, p_delay interval, p_is_hub_ready boolean, p_key text
)
returns uuid[]
language plpgsql
volatile
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
  if v_post.visibility = 'private_locked_hub' and v_hub_ids = '{}' then
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
    case when v_post.visibility = 'private_locked_hub' then v_hub_ids else array_append(v_hub_ids, null) end,
    p_position
  );
  if not v_post.is_shareable then
    v_other_hub_ids := '{}';
  elsif v_other_hub_ids <> '{}' then
    perform app.keep_ballot(p_post_id, p_position, v_other_hub_ids, p_key);
  end if;
  if p_delay = interval '0' then
    perform app.note_act('voted', app.user_id(), p_post_id, app.now());
  elsif v_post.visibility <> 'private_locked_hub' then
    insert into app.feed_events (actor_id, post_id, kind, occurred_at)
    values (app.user_id(), p_post_id, 'voted', app.now() + p_delay);
  end if;
  return v_other_hub_ids;
end
$$;
comment on function app.count_vote(uuid, app.vote_position, interval, boolean, text) is 'The caller''s vote on a post that they see: a receipt without position; counts without person, for everybody and for each Hub of theirs where the post is, if they are Hub-ready; a sealed ballot for their other Hubs; and an act that feeds show when p_delay is over, in the voter''s own stream: the fold brings it into those of their Hubs, at once only where there is no delay. It reads neither receipts nor counts, so that votes at once conflict in nothing; the conflict check of the receipt takes no predicate lock. Returns the Hubs for which the ballot waits. Raises VOTE_ALREADY_CAST; VOTE_NOT_ALLOWED on a private post that is in no Hub of theirs.';

revoke all on function app.count_vote(uuid, app.vote_position, interval, boolean, text) from public;
grant execute on function app.count_vote(uuid, app.vote_position, interval, boolean, text) to authenticated;
