-- It is one transaction, so every reader sees a vote exactly once.
--
-- Args: p_generation (null for the one that rests, so that no vote waits).
create function app.fold_pools(p_generation smallint default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_generation smallint := coalesce(p_generation, 1 - app.slot_generation())::smallint;
  v_votes record;
begin
  perform pg_advisory_xact_lock(hashtext('app.fold_pools'));
  for v_votes in
    with folded as (
      delete from app.vote_slots where generation = v_generation returning *
    ),
    -- Waits for concurrent deletions, and skips what they deleted.
    held_posts as materialized (
      select p.id from app.posts as p where p.id in (select f.post_id from folded as f) order by p.id for key share
    ),
    held_hubs as materialized (
      select h.id from app.hubs as h where h.id in (select f.hub_id from folded as f) order by h.id for key share
    )
    select f.post_id, f.hub_id, app.sum_counts(f.counts) as counts
    from folded as f
    join held_posts as p on p.id = f.post_id
    where f.hub_id is null or f.hub_id in (select h.id from held_hubs as h)
    group by f.post_id, f.hub_id
    order by f.post_id, f.hub_id
  loop
    perform app.add_to_pool(v_votes.post_id, v_votes.hub_id, v_votes.counts);
  end loop;
end
$$;
comment on function app.fold_pools is 'Folds pools: moves the counts of one generation of slots into them.';
grant execute on function app.fold_pools to opine_worker;

create function app.add_to_pool(p_post_id uuid, p_hub_id uuid, p_counts app.position_counts) returns void
language plpgsql set search_path = '' as $$
begin
  insert into app.vote_pools as pool (post_id, hub_id, counts)
  values (p_post_id, p_hub_id, p_counts)
  on conflict (post_id, scope_id) do update set counts = app.add_counts(pool.counts, excluded.counts);
end
$$;
comment on function app.add_to_pool is
  'Adds votes to the pool of a post in the scope of a Hub, or in the global one for null, for good.';

-- Returns whether there was one.
create function app.fold_ballots(p_keys text[]) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_key_ids bytea[] := app.key_ids(p_keys);
  v_post_id uuid;
begin
  perform pg_advisory_xact_lock(hashtext('app.fold_ballots'));
  select b.post_id into v_post_id from app.pending_ballots as b where b.key_id = any(v_key_ids) limit 1;
  if not found then
    select shared.post_id into v_post_id
    from app.promotions as shared
    join app.placements as p on p.post_id = shared.post_id
    join app.pending_totals as t on t.post_id = p.post_id and t.hub_id = p.hub_id and t.key_id = any(v_key_ids)
    limit 1;
  end if;
  if v_post_id is null then
    return false;
  end if;
  perform app.settle_pending(v_post_id, p_keys);
  return true;
end
$$;
comment on function app.fold_ballots is 'Folds pending votes: settles a batch on one post that p_keys open.';
grant execute on function app.fold_ballots to opine_worker;

-- Folds receipts: takes a batch of fresh votes, ranks them, and rewrites their receipts, and the rate limits
-- of their voters, in random order in one transaction, so that neither row order nor transaction ids pair
-- them with counts.
--
-- It records the activities of those that are not held, in the sources of the voters and of their Hubs.
-- Returns whether there were any.
create function app.fold_receipts() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_taken app.ranked_vote[];
  v_vote app.ranked_vote;
begin
  perform pg_advisory_xact_lock(hashtext('app.fold_receipts'));
  v_taken := app.rank_votes(500, 5000);
  foreach v_vote in array v_taken loop
    update app.vote_receipts as r
    set baseline = coalesce(r.baseline, v_vote.baseline)
    where r.post_id = v_vote.post_id and r.user_id = v_vote.user_id;
    update app.rate_limits as l set used_at = l.used_at where l.kind = 'votes' and l.subject = v_vote.user_id::text;
  end loop;
  insert into app.held_votes (post_id, user_id, due_at)
  select v.post_id, u.id, v.activity_at
  from unnest(v_taken) as v
  join app.users as u on u.id = v.user_id and u.ended_at is null
  where v.activity_at is not null and v.is_held
  on conflict (post_id, user_id) do nothing;
  perform app.record_activity('voted', voted.user_id, voted.post_id, voted.activity_at)
  from (
    select v.*
    from unnest(v_taken) as v
    join app.users as u on u.id = v.user_id and u.ended_at is null
    where v.activity_at is not null and not v.is_held
    order by v.user_id, v.post_id
  ) as voted;
  return v_taken <> '{}';
end
$$;
comment on function app.fold_receipts is 'Folds a batch of receipts (docs/vote-secrecy.md).';
grant execute on function app.fold_receipts to opine_worker;

-- Returns whether there may be more.
create function app.release_votes(p_minimum integer) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_due app.held_votes[];
  v_post_ids uuid[];
  v_released app.held_votes[];
begin
  perform pg_advisory_xact_lock(hashtext('app.release_votes'));
  v_due := array(
    select unnest(post.votes)
    from (
      select array_agg(h) as votes
      from app.held_votes as h
      where h.due_at <= app.now() and h.released_at is null
      group by h.post_id
      having count(*) >= p_minimum
      limit 20
    ) as post
  );
  v_post_ids := array(select distinct due.post_id from unnest(v_due) as due);
  -- Voters, then posts, then votes: see "Lock order" in docs/architecture.md.
  perform from app.users as u
  where u.id in (select due.user_id from unnest(v_due) as due)
  order by u.id
  for share;
  perform from app.posts as p where p.id = any (v_post_ids) order by p.id for key share;
  with released as (
    update app.held_votes as h
    set released_at = app.now()
    where h.post_id = any (v_post_ids) and h.due_at <= app.now() and h.released_at is null
    returning h
  )
  select array_agg(released.h) into v_released from released;
  perform app.record_activity('voted', r.user_id, r.post_id, app.now()) from unnest(v_released) as r;
  delete from app.held_votes
  where ctid in (
    select h.ctid from app.held_votes as h where h.released_at < app.now() - interval '1 hour' for update skip locked
  );
  return cardinality(v_post_ids) = 20;
end
$$;
comment on function app.release_votes is
  'Shows held votes in feeds: on each post all that are due, at one moment, once they are p_minimum or more '
  '(docs/product.md A8).';
grant execute on function app.release_votes to opine_worker;

-- Args: p_limit (of votes), p_row_limit (of feed event rows, except for a first vote that exceeds it).
-- Returns the ranked votes in random order.
create function app.rank_votes(p_limit integer, p_row_limit integer) returns app.ranked_vote[]
language plpgsql set search_path = '' as $$
declare
  -- Voters in more than 200 Hubs come last, so that no other vote waits for their many feed events.
  v_next tid[] := array(
    select f.ctid
    from (
      select first.*, sum(first.hub_count + 1) over (order by first.place) as row_count
      from (
        select n.ctid, n.hub_count, row_number() over (order by n.hub_count > 200, n.cast_at) as place
        from app.fresh_votes as n
        order by n.hub_count > 200, n.cast_at
        limit p_limit
      ) as first
    ) as f
    where f.row_count <= p_row_limit or f.place = 1
  );
  v_ranked app.ranked_vote[];
begin
  -- Voters, then posts, then votes: see "Lock order" in docs/architecture.md.
  perform from app.users as u
  where u.id in (select f.user_id from app.fresh_votes as f where f.ctid = any (v_next))
  order by u.id
  for share;
  perform from app.posts as p
  where p.id in (select f.post_id from app.fresh_votes as f where f.ctid = any (v_next))
  order by p.id
  for no key update;
  with taken as (
    delete from app.fresh_votes where ctid = any (v_next) returning *
  ),
  hourly as (
    insert into app.vote_hours as h (cast_hour, vote_count)
    select date_trunc('hour', t.cast_at, 'UTC'), count(*) from taken as t group by 1
    on conflict (cast_hour) do update set vote_count = h.vote_count + excluded.vote_count
  ),
  counted as (
    update app.posts as p
    set vote_count = p.vote_count + more.count
    from (select t.post_id, count(*)::integer as count from taken as t group by t.post_id) as more
    where p.id = more.post_id
    returning p.id, p.is_public, p.vote_count, p.vote_count - more.count as former_count
  ),
  reached as (
    insert into app.milestones (post_id, next_total, last_total)
    select c.id, c.former_count + 1, c.vote_count
    from counted as c
    where c.is_public
      and (
        c.vote_count > app.voter_milestone()
        or c.vote_count / app.author_milestone() > c.former_count / app.author_milestone()
      )
  )
  select array_agg(
    (
      t.post_id, t.user_id,
      case when c.is_public then c.former_count + t.place end, t.activity_at, t.is_held
    )::app.ranked_vote
    order by random()
  )
  into v_ranked
  from (
    select taken.*, row_number() over (partition by taken.post_id order by taken.cast_at, taken.user_id) as place
    from taken
  ) as t
  left join counted as c on c.id = t.post_id;
  perform app.count_trending_votes(v.post_id, count(*))
  from unnest(v_ranked) as v
  join app.posts as p on p.id = v.post_id and p.author_id <> v.user_id
  group by v.post_id;
  return coalesce(v_ranked, '{}');
end
$$;
comment on function app.rank_votes is
  'Deletes the oldest fresh votes, counts them at their posts and hours, raises trending scores, and queues the '
  'milestones reached.';
