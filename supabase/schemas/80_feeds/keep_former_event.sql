create function app.keep_former_event()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, lost_at, lost_by)
  values (old.hub_id, old.actor_id, old.post_id, old.kind, old.occurred_at, app.now(), pg_current_xact_id());
  return null;
end
$$;
comment on function app.keep_former_event() is 'After somebody repeated what they did with a post: keeps for a day when they did it before, so that walks under way find the post where it was.';

revoke all on function app.keep_former_event() from public;
