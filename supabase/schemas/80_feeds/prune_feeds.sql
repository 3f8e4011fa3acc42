create function app.prune_feeds()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  delete from app.feed_events where lost_at <= app.now() - interval '1 day';
  delete from app.former_sources where ended_at <= app.now() - interval '1 day';
  delete from app.warmings where warmed_at <= app.now() - interval '1 day';
end;
comment on function app.prune_feeds() is 'Upkeep: deletes what walks through feeds had to know that began more than a day ago.';

revoke all on function app.prune_feeds() from public;
grant execute on function app.prune_feeds() to opine_worker;
