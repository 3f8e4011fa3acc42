create function app.require_replaceable(p_hub_id uuid, p_user_id uuid)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id = p_user_id and m.role = 'admin')
    and exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id <> p_user_id) then
    perform app.require_other_admin(p_hub_id, p_user_id);
  end if;
end
$$;
comment on function app.require_replaceable(uuid, uuid) is 'Lets a member go who does not leave others without an admin behind. Raises LAST_ADMIN.';

revoke all on function app.require_replaceable(uuid, uuid) from public;
