-- A caller without a key promotes nothing.
create function app.promote_pending(p_post_id uuid, p_keys text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.settle_pending(p_post_id, p_keys, p_is_all => true);
end
$$;
comment on function app.promote_pending is
  'Counts the pending votes on a post that p_keys open in the Hubs with the post.';
grant execute on function app.promote_pending to authenticated;

-- Ballots, all or one batch (app.take_ballots), are added to the totals of their Hub and hour; totals of Hubs
-- with the post are counted for good. Votes past their deadline are dropped.
create function app.settle_pending(p_post_id uuid, p_keys text[], p_is_all boolean default false) returns void
language plpgsql set search_path = '' as $$
declare
  v_placed_in uuid[];
  v_votes app.pending_votes;
begin
  -- Serialises with shares, which lock the post too (app.lock_post).
  perform from app.posts as p where p.id = p_post_id for no key update;
  if not found then
    delete from app.pending_ballots where post_id = p_post_id;
    return;
  end if;
  v_placed_in := array(
    select h.id
    from app.hubs as h
    where h.id in (select p.hub_id from app.placements as p where p.post_id = p_post_id)
    order by h.id
    for key share
  );
  for v_votes in select * from app.take_ballots(p_post_id, p_keys, p_is_all) loop
    perform from app.hubs as h where h.id = v_votes.hub_id for key share;
    continue when not found or v_votes.cast_hour <= app.pending_since();
    perform app.add_to_pending(p_post_id, v_votes.hub_id, v_votes.cast_hour, v_votes.counts, p_keys[1]);
  end loop;
  -- Includes votes concurrent with a share: they left a ballot, which the loop above has added.
  for v_votes in select * from app.take_totals(p_post_id, v_placed_in, p_keys) loop
    if v_votes.cast_hour > app.pending_since() then
      perform app.add_to_pool(p_post_id, v_votes.hub_id, v_votes.counts);
    end if;
  end loop;
end
$$;
comment on function app.settle_pending is 'Settles pending votes on a post that p_keys open.';

-- Args: p_is_all (all ballots, else at most 100).
create function app.take_ballots(p_post_id uuid, p_keys text[], p_is_all boolean default false)
returns setof app.pending_votes
language plpgsql set search_path = '' as $$
declare
  v_key_ids bytea[] := app.key_ids(p_keys);
begin
  return query
  with taken as (
    delete from app.pending_ballots
    where ctid = any (array(
      select first.ctid
      from (
        select b.ctid, row_number() over () as place, sum(length(b.sealed)) over (rows unbounded preceding) as size
        from (
          select n.ctid, n.sealed from app.pending_ballots as n
          where n.post_id = p_post_id and n.key_id = any(v_key_ids)
          limit case when not p_is_all then 100 end
        ) as b
      ) as first
      -- A longer ballot names more Hubs, so the size bounds the work of a batch.
      where p_is_all or first.size <= 131072 or first.place = 1
    ))
    returning *
  ),
  opened as materialized (
    select t.cast_hour, app.unseal(t.sealed, t.key_id, p_keys) as ballot from taken as t
  )
  select
    hub.id::uuid,
    o.cast_hour,
    app.sum_counts(jsonb_populate_record(null::app.position_counts, o.ballot -> 'counts'))
  from opened as o
  cross join lateral jsonb_array_elements_text(o.ballot -> 'hubIds') as hub (id)
  group by hub.id, o.cast_hour
  order by hub.id, o.cast_hour;
end
$$;
comment on function app.take_ballots is
  'Deletes ballots on a post that p_keys open and returns their counts by Hub and hour.';

create function app.take_totals(p_post_id uuid, p_hub_ids uuid[], p_keys text[]) returns setof app.pending_votes
language plpgsql set search_path = '' as $$
declare
  v_key_ids bytea[] := app.key_ids(p_keys);
begin
  return query
  with taken as (
    delete from app.pending_totals as t
    where t.post_id = p_post_id and t.hub_id = any(p_hub_ids) and t.key_id = any(v_key_ids)
    returning *
  )
  select t.hub_id, t.cast_hour, jsonb_populate_record(null::app.position_counts, app.unseal(t.sealed, t.key_id, p_keys))
  from taken as t
  order by t.hub_id, t.cast_hour;
end
$$;
comment on function app.take_totals is 'Deletes and returns the pending totals of a post in Hubs that p_keys open.';

-- Totals sealed by another key stay in their own row. The caller must hold the lock on the post.
create function app.add_to_pending(
  p_post_id uuid, p_hub_id uuid, p_cast_hour timestamptz, p_counts app.position_counts, p_key text
)
returns void
language plpgsql set search_path = '' as $$
declare
  v_key_id bytea := app.key_id(p_key);
  v_counts app.position_counts := (
    select app.sum_counts(votes.counts)
    from (
      select p_counts
      union all
      select jsonb_populate_record(null::app.position_counts, app.unseal(t.sealed, t.key_id, array[p_key]))
      from app.pending_totals as t
      where t.post_id = p_post_id and t.hub_id = p_hub_id and t.cast_hour = p_cast_hour and t.key_id = v_key_id
    ) as votes (counts)
  );
begin
  insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
  -- A fixed length hides how many votes there are.
  values (p_post_id, p_hub_id, p_cast_hour, v_key_id, app.seal(rpad(to_jsonb(v_counts)::text, 200), p_key))
  on conflict (post_id, hub_id, cast_hour, key_id) do update set sealed = excluded.sealed;
end
$$;
comment on function app.add_to_pending is
  'Adds votes of one hour to the pending totals of a post in a Hub, sealed by p_key.';

-- Each call returns another ciphertext.
create function app.seal(p_text text, p_key text) returns bytea
language plpgsql set search_path = '' as $$
begin
  -- The key is random, so key stretching would add nothing.
  return extensions.pgp_sym_encrypt(p_text, p_key, 's2k-mode=1, cipher-algo=aes256');
end
$$;
comment on function app.seal is
  'Encrypts a text with a key that the database does not keep (AES-256 with an integrity check).';

-- Returns JSON; null without that key.
create function app.unseal(p_sealed bytea, p_key_id bytea, p_keys text[]) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select extensions.pgp_sym_decrypt(p_sealed, key.text)::jsonb
    from unnest(p_keys) as key (text)
    where app.key_id(key.text) = p_key_id
    limit 1
  );
end
$$;
comment on function app.unseal is 'Decrypts what app.seal returned, with the one of p_keys whose id is p_key_id.';

create function app.key_id(p_key text) returns bytea
language plpgsql immutable set search_path = '' as $$
begin
  return substr(sha256(p_key::bytea), 1, 8);
end
$$;
comment on function app.key_id is 'Returns the id of a key, stored beside what the key seals.';

create function app.key_ids(p_keys text[]) returns bytea[]
language plpgsql immutable set search_path = '' as $$
begin
  return array(select app.key_id(key.text) from unnest(p_keys) as key (text));
end
$$;
comment on function app.key_ids is 'Returns the id of each key.';

create function app.pending_since() returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return app.now() - interval '337 hours';
end
$$;
comment on function app.pending_since is
  'Returns the start of the pending window, 337 hours ago (docs/product.md V7): votes with a later cast_hour may still '
  'be promoted.';

-- Returns whether there may be more.
create function app.prune_pending_totals() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_limit integer := 20000;
  v_ballot_count integer;
  v_total_count integer;
begin
  delete from app.pending_ballots
  where ctid = any (array(
    select b.ctid from app.pending_ballots as b where b.cast_hour <= app.pending_since() limit v_limit
  ));
  get diagnostics v_ballot_count = row_count;
  delete from app.pending_totals
  where ctid = any (array(
    select t.ctid from app.pending_totals as t where t.cast_hour <= app.pending_since() limit v_limit
  ));
  get diagnostics v_total_count = row_count;
  delete from app.promotions as shared
  where not exists (
    select
    from app.placements as p
    join app.pending_totals as t on t.post_id = p.post_id and t.hub_id = p.hub_id
    where p.post_id = shared.post_id
  );
  return v_limit in (v_ballot_count, v_total_count);
end
$$;
comment on function app.prune_pending_totals is
  'Deletes a batch of ballots and totals past their deadline, and promotions without pending totals.';
grant execute on function app.prune_pending_totals to opine_worker;

create function app.queue_promotion() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.promotions (post_id) values (new.post_id);
  return null;
end
$$;
comment on function app.queue_promotion is
  'Trigger: queues the pending votes of a post that is shared into a Hub for the next fold (docs/product.md V7).';

create trigger placements_promote_after_insert after insert on app.placements
for each row when (new.kind = 'shared')
execute function app.queue_promotion();
