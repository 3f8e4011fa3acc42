create function app.remove_member(p_hub_id uuid, p_user_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.lock_hub(p_hub_id);
  perform app.require_member(p_hub_id, 'admin', 'MEMBER_NOT_FOUND');
  if not exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id = p_user_id) then
    raise exception using errcode = 'PT404', message = 'MEMBER_NOT_FOUND';
  end if;
  perform app.require_replaceable(p_hub_id, p_user_id);
  perform app.end_membership(p_hub_id, p_user_id);
  if p_user_id <> app.user_id() then
    perform app.emit('hub_member_removed', p_actor_id => app.user_id(), p_subject_id => p_user_id, p_hub_id => p_hub_id);
  end if;
end
$$;
comment on function app.remove_member(uuid, uuid) is 'An admin removes a member; to remove oneself is to leave. Raises what app.require_member does, to outsiders MEMBER_NOT_FOUND; MEMBER_NOT_FOUND, LAST_ADMIN.';

revoke all on function app.remove_member(uuid, uuid) from public;
grant execute on function app.remove_member(uuid, uuid) to authenticated;
