create function app.bring_acts()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  -- What they are doing meanwhile waits, or is waited for: see app.note_act.
  perform from app.users as u where u.id in (select m.user_id from present as m) order by u.id for update;
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
  select m.hub_id, e.actor_id, e.post_id, e.kind, e.occurred_at
  from present as m
  join app.feed_events as e on e.actor_id = m.user_id and e.hub_id is null and e.lost_at is null;
  return null;
end
$$;
comment on function app.bring_acts() is 'After people have joined Hubs: what they have done comes into the Hubs'' streams, at its own time.';

revoke all on function app.bring_acts() from public;
