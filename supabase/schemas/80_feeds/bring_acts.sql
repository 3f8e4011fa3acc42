create function app.bring_acts()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.hold_acts(m.user_id) from (select present.user_id from present order by present.user_id) as m;
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
  select m.hub_id, e.actor_id, e.post_id, e.kind, e.occurred_at
  from present as m
  join app.feed_events as e on e.actor_id = m.user_id and e.hub_id is null and e.lost_at is null
  -- Each row locks its post.
  order by e.post_id;
  return null;
exception when foreign_key_violation then
  -- One of the posts is just being deleted: the next attempt finds it gone.
  raise exception using errcode = 'serialization_failure', message = 'A post went while acts were brought into a Hub.';
end
$$;
comment on function app.bring_acts() is 'After people have joined Hubs: what they have done comes into the Hubs'' streams, at its own time.';

revoke all on function app.bring_acts() from public;
