create function app.note_activity(p_hub_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update app.hubs as h set last_activity_at = app.now() where h.id = p_hub_id and h.last_activity_at < app.now();
end
$$;
comment on function app.note_activity(uuid) is 'Notes that something happened in a Hub, by which lists of Hubs are ordered.';

revoke all on function app.note_activity(uuid) from public;
