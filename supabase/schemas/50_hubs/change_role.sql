create function app.change_role(p_hub_id uuid, p_user_id uuid, p_role app.hub_role, p_actor_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update app.memberships as m set role = p_role where m.hub_id = p_hub_id and m.user_id = p_user_id;
  perform app.emit('hub_role_changed', p_actor_id => p_actor_id, p_subject_id => p_user_id, p_hub_id => p_hub_id);
end
$$;
comment on function app.change_role(uuid, uuid, app.hub_role, uuid) is 'Gives a member of a Hub that is locked another role.';

revoke all on function app.change_role(uuid, uuid, app.hub_role, uuid) from public;
