create function app.emit(
  p_type app.event_type, p_actor_id uuid, p_subject_id uuid default null, p_hub_id uuid default null,
  p_post_id uuid default null, p_comment_id uuid default null, p_invitation_id uuid default null, p_join_request_id uuid default null
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_event app.events;
begin
  insert into app.events (type, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id)
  values (p_type, p_actor_id, p_subject_id, p_hub_id, p_post_id, p_comment_id, p_invitation_id, p_join_request_id)
  returning * into v_event;
  perform app.announce(v_event);
end
$$;
comment on function app.emit(app.event_type, uuid, uuid, uuid, uuid, uuid, uuid, uuid) is 'Says, in the transaction of an act, that it happened, and tells whom it is for (spec.md "Events"): the way into app.events and app.notifications; for milestones, which are many at once, it is app.fan_out_milestones.';

revoke all on function app.emit(app.event_type, uuid, uuid, uuid, uuid, uuid, uuid, uuid) from public;
