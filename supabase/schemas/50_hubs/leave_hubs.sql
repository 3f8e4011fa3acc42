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
  for v_hub_id in
    select m.hub_id from app.memberships as m where m.user_id = p_user_id order by m.hub_id limit 50
  loop
    perform app.lock_hub(v_hub_id);
    perform app.succeed_admin(v_hub_id, p_user_id);
    perform app.end_membership(v_hub_id, p_user_id);
  end loop;
  return exists (select from app.memberships as m where m.user_id = p_user_id);
end
$$;
comment on function app.leave_hubs(uuid) is 'Ends the memberships of an ended account, a part at a time, and answers whether there are more.';

revoke all on function app.leave_hubs(uuid) from public;
