create function app.open_join_request(p_hub_id uuid, p_source app.join_request_source)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_user_id uuid := app.user_id();
  v_id uuid;
begin
  insert into app.join_requests (hub_id, user_id, source) values (p_hub_id, v_user_id, p_source) returning id into v_id;
  perform app.emit(
    'hub_join_request_created', p_actor_id => v_user_id, p_subject_id => v_user_id, p_hub_id => p_hub_id, p_join_request_id => v_id
  );
  return v_id;
end
$$;
comment on function app.open_join_request(uuid, app.join_request_source) is 'The caller asks to join a Hub that is locked; answers the join request. Raises JOIN_REQUEST_PENDING by join_requests_pending_key.';

revoke all on function app.open_join_request(uuid, app.join_request_source) from public;
