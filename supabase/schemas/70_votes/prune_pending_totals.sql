create function app.prune_pending_totals()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  delete from app.pending_ballots where cast_hour <= app.pending_since();
  delete from app.pending_totals
  where ctid in (
    select t.ctid from app.pending_totals as t where t.cast_hour <= app.pending_since() limit 20000
  );
  delete from app.promotions as shared
  where not exists (
    select
    from app.placements as p
    join app.pending_totals as t on t.post_id = p.post_id and t.hub_id = p.hub_id
    where p.post_id = shared.post_id
  );
end;
comment on function app.prune_pending_totals() is 'Upkeep: deletes a part of the pending totals whose deadline is over, and what no share needs any more.';

revoke all on function app.prune_pending_totals() from public;
grant execute on function app.prune_pending_totals() to opine_worker;
