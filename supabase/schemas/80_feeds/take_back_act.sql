create function app.take_back_act(p_kind app.feed_event_kind, p_actor_id uuid, p_post_id uuid, p_latest timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform app.hold_memberships(p_actor_id);
  update app.feed_events as e
  set lost_at = app.now(), lost_by = pg_current_xact_id()
  where e.post_id = p_post_id and e.actor_id = p_actor_id and e.kind = p_kind and e.lost_at is null
    and e.occurred_at is distinct from p_latest;
  if p_latest is not null then
    perform app.note_act(p_kind, p_actor_id, p_post_id, p_latest);
  end if;
end
$$;
comment on function app.take_back_act(app.feed_event_kind, uuid, uuid, timestamptz) is 'Somebody has deleted something of what they did with a post: the latest of its kind that is left is of p_latest, null for none.';

revoke all on function app.take_back_act(app.feed_event_kind, uuid, uuid, timestamptz) from public;
