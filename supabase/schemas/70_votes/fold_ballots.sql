create function app.fold_ballots(p_keys text[])
returns boolean
language plpgsql
volatile
security definer
set search_path = ''
as $$
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
comment on function app.fold_ballots(text[]) is 'The fold of pending votes: settles some of one post that p_keys open. Answers whether there were any.';

revoke all on function app.fold_ballots(text[]) from public;
grant execute on function app.fold_ballots(text[]) to opine_worker;
