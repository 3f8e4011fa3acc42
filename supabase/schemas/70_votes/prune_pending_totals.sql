create function app.prune_pending_totals()
returns boolean
language plpgsql
volatile
security definer
set search_path = ''
as $$
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
comment on function app.prune_pending_totals() is 'Upkeep: deletes some of what is pending and whose deadline is over, and what no share needs any more. Answers whether there may be more.';

revoke all on function app.prune_pending_totals() from public;
grant execute on function app.prune_pending_totals() to opine_worker;
