create function app.withdraw_acts()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.hold_acts(m.user_id) from (select former.user_id from former order by former.user_id) as m;
  update app.feed_events as e
  set lost_at = app.now(), lost_by = pg_current_xact_id()
  from former as m
  where e.hub_id = m.hub_id and e.actor_id = m.user_id and e.lost_at is null and e.kind not in ('targeted', 'shared_to_hub');
  return null;
end
$$;
comment on function app.withdraw_acts() is 'After people have left Hubs: what they did counts no more in the Hubs'' streams; what they placed there stays.';

revoke all on function app.withdraw_acts() from public;
