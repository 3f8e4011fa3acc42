-- Pools do not change. Locks the votes before the receipts, as the fold does.
create function app.move_votes(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.held_votes as h
  set user_id = p_into
  where h.user_id = p_from
    and not exists (select from app.held_votes as own where own.post_id = h.post_id and own.user_id = p_into);
  delete from app.held_votes where user_id = p_from;
  update app.fresh_votes as f
  set user_id = case
    when not exists (
      select from app.vote_receipts as own where own.post_id = f.post_id and own.user_id = p_into
    ) then p_into
  end
  where f.user_id = p_from;
  update app.vote_receipts as r
  set user_id = p_into
  where r.user_id = p_from
    and not exists (select from app.vote_receipts as own where own.post_id = r.post_id and own.user_id = p_into);
  delete from app.vote_receipts where user_id = p_from;
end
$$;
comment on function app.move_votes is 'Moves the receipts of the votes of a merged account (docs/product.md I16).';

-- The deletion of a post takes its saves and held votes along.
create function app.lock_kept_posts(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.posts as p
  where p.id in (
    select s.post_id from app.saved_posts as s where s.user_id = p_user_id
    union all
    select h.post_id from app.held_votes as h where h.user_id = p_user_id
  )
  order by p.id
  for key share;
end
$$;
comment on function app.lock_kept_posts is
  'Locks the posts that a person has saved, or votes on which are held, in the order of their ids.';

-- The votes stay counted (docs/product.md I18).
create function app.erase_held_votes(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.held_votes where user_id = p_user_id;
end;
comment on function app.erase_held_votes is 'Deletes what feeds do not show yet of the votes of an ended account.';

-- Returns whether more may be left.
create function app.close_hub_votes(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.pending_totals as t
  where t.ctid in (
    select old.ctid from app.pending_totals as old where old.hub_id = p_hub_id limit 5000 for update skip locked
  );
  if found or exists (select from app.pending_totals as t where t.hub_id = p_hub_id) then
    return true;
  end if;
  delete from app.vote_pools as v
  where v.ctid in (
    select old.ctid from app.vote_pools as old where old.hub_id = p_hub_id limit 1000 for update skip locked
  );
  return found or exists (select from app.vote_pools as v where v.hub_id = p_hub_id);
end
$$;
comment on function app.close_hub_votes is 'Deletes a batch of the pending totals and pools of a closed Hub.';

-- Positions are not stored.
create function app.export_votes() returns setof jsonb
language plpgsql stable set search_path = '' as $$
begin
  return query
  select jsonb_build_object('postId', r.post_id, 'votedAt', app.iso(r.voted_at))
  from app.vote_receipts as r
  where r.user_id = app.user_id()
  -- Sort by exported values only: the physical position of a row must not leak.
  order by r.voted_at desc, r.post_id desc
  limit 100000;
end
$$;
comment on function app.export_votes is
  'Returns the section votes of the export: posts that the caller voted on, to the minute.';
grant execute on function app.export_votes to authenticated;
