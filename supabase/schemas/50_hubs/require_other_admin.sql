create function app.require_other_admin(p_hub_id uuid, p_user_id uuid)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if not exists (select from app.acting_admins as a where a.hub_id = p_hub_id and a.user_id <> p_user_id) then
    raise exception using errcode = 'PT409', message = 'LAST_ADMIN';
  end if;
end
$$;
comment on function app.require_other_admin(uuid, uuid) is 'Lets somebody stop being an admin where another one who can act stays. Raises LAST_ADMIN.';

revoke all on function app.require_other_admin(uuid, uuid) from public;
