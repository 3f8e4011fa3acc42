create function app.require_other_admin(p_hub_id uuid, p_user_id uuid)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if not exists (
    select from app.memberships as m where m.hub_id = p_hub_id and m.role = 'admin' and m.user_id <> p_user_id
  ) then
    raise exception using errcode = 'PT409', message = 'LAST_ADMIN';
  end if;
end
$$;
comment on function app.require_other_admin(uuid, uuid) is 'Lets somebody stop being an admin where another one stays. Raises LAST_ADMIN.';

revoke all on function app.require_other_admin(uuid, uuid) from public;
