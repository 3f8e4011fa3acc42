create function app.put_role(p_hub_id uuid, p_user_id uuid, p_role app.hub_role, p_hidden text default null)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_former app.hub_role;
begin
  perform app.lock_hub(p_hub_id);
  perform app.require_member(p_hub_id, 'admin', p_hidden);
  select m.role into v_former from app.memberships as m where m.hub_id = p_hub_id and m.user_id = p_user_id;
  if v_former is null then
    raise exception using errcode = 'PT404', message = 'MEMBER_NOT_FOUND';
  end if;
  if v_former = p_role then
    return;
  end if;
  if v_former = 'admin' then
    perform app.require_other_admin(p_hub_id, p_user_id);
  end if;
  perform app.change_role(p_hub_id, p_user_id, p_role, app.user_id());
end
$$;
comment on function app.put_role(uuid, uuid, app.hub_role, text) is 'An admin gives a member a role. Raises what app.require_member does, to outsiders p_hidden; MEMBER_NOT_FOUND, LAST_ADMIN.';

revoke all on function app.put_role(uuid, uuid, app.hub_role, text) from public;
grant execute on function app.put_role(uuid, uuid, app.hub_role, text) to authenticated;
