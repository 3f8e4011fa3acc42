create function app.prune_feeds() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.feed_events
  where ctid in (
    -- The deletion of a post takes its events along, in any order.
    select e.ctid
    from app.feed_events as e
    where e.ended_at <= app.now() - interval '1 day'
    limit 20000
    for update skip locked
  );
  delete from app.feed_changes
  where id in (select c.id from app.feed_changes as c where c.changed_at <= app.now() - interval '1 day' limit 20000);
  delete from app.trending_activities
  where ctid in (
    select a.ctid
    from app.trending_activities as a
    where a.at <= app.now() - interval '30 days'
    limit 20000
    for update skip locked
  );
  delete from app.score_changes
  where id in (select c.id from app.score_changes as c where c.changed_at <= app.now() - interval '1 day' limit 20000);
end;
comment on function app.prune_feeds is
  'Upkeep: deletes ended events and changes older than a day, which only older cursors need, and activity that adds '
  'nothing to trending scores by now; at most 20,000 rows of each.';
grant execute on function app.prune_feeds to opine_worker;
