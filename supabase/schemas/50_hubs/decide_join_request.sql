create function app.decide_join_request(p_hub_id uuid, p_id uuid, p_verdict app.join_request_state)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_request app.join_requests;
begin
  perform app.lock_hub(p_hub_id);
  perform app.require_member(p_hub_id, 'admin', 'JOIN_REQUEST_NOT_FOUND');
  -- Whose account ends at the same time has their row first, then what they asked.
  perform from app.users as u
  where u.id = (select r.user_id from app.join_requests as r where r.id = p_id and r.hub_id = p_hub_id)
  for key share;
  select * into v_request from app.join_requests as r where r.id = p_id and r.hub_id = p_hub_id for update;
  if v_request.id is null then
    raise exception using errcode = 'PT404', message = 'JOIN_REQUEST_NOT_FOUND';
  end if;
  if v_request.state <> 'pending_admin_approval' then
    raise exception using errcode = 'PT409', message = 'JOIN_REQUEST_NOT_PENDING';
  end if;
  update app.join_requests set state = p_verdict where id = p_id;
  perform app.emit(
    case p_verdict when 'approved' then 'hub_join_request_approved' else 'hub_join_request_rejected' end::app.event_type,
    p_actor_id => app.user_id(), p_subject_id => v_request.user_id, p_hub_id => p_hub_id, p_join_request_id => p_id
  );
  if p_verdict = 'approved' then
    perform app.become_member(p_hub_id, v_request.user_id);
  end if;
end
$$;
comment on function app.decide_join_request(uuid, uuid, app.join_request_state) is 'An admin approves or rejects a join request; approved, it makes an active member. Raises what app.require_member does, to outsiders JOIN_REQUEST_NOT_FOUND; JOIN_REQUEST_NOT_FOUND, JOIN_REQUEST_NOT_PENDING.';

revoke all on function app.decide_join_request(uuid, uuid, app.join_request_state) from public;
grant execute on function app.decide_join_request(uuid, uuid, app.join_request_state) to authenticated;
