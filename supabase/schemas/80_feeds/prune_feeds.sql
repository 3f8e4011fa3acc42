create function app.prune_feeds()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  delete from app.feed_events
  where ctid in (select e.ctid from app.feed_events as e where e.lost_at <= app.now() - interval '1 day' limit 20000);
  delete from app.former_sources where ended_at <= app.now() - interval '1 day';
  delete from app.score_changes
  where ctid in (select c.ctid from app.score_changes as c where c.changed_at <= app.now() - interval '1 day' limit 20000);
end;
comment on function app.prune_feeds() is 'Upkeep: deletes a part of what walks through feeds had to know that began more than a day ago.';

revoke all on function app.prune_feeds() from public;
grant execute on function app.prune_feeds() to opine_worker;
