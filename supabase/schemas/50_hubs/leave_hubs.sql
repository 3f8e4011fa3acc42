create function app.leave_hubs(p_user_id uuid)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_hub_id uuid;
begin
  select m.hub_id into v_hub_id from app.memberships as m where m.user_id = p_user_id order by m.hub_id limit 1;
  if not found then
    return false;
  end if;
  perform app.lock_hub(v_hub_id);
  perform app.succeed_admin(v_hub_id, p_user_id);
  perform app.end_membership(v_hub_id, p_user_id);
  return true;
end
$$;
comment on function app.leave_hubs(uuid) is 'Ends one membership of an ended account, because a transaction locks one Hub''s row only. Returns false when there was none.';

revoke all on function app.leave_hubs(uuid) from public;
