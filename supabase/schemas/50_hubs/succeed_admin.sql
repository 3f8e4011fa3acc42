create function app.succeed_admin(p_hub_id uuid, p_user_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_successor_id uuid;
begin
  if exists (select from app.acting_admins as a where a.hub_id = p_hub_id and a.user_id is distinct from p_user_id) then
    return;
  end if;
  select m.user_id into v_successor_id
  from app.memberships as m
  join app.users as u on u.id = m.user_id and u.ended_at is null
  where m.hub_id = p_hub_id and m.user_id is distinct from p_user_id
    and not exists (select from app.suspensions as s where s.user_id = m.user_id)
  order by m.role desc, m.joined_at, m.user_id
  limit 1;
  if v_successor_id is not null then
    perform app.change_role(p_hub_id, v_successor_id, 'admin', null);
  end if;
end
$$;
comment on function app.succeed_admin(uuid, uuid) is 'Where no admin of a Hub can act but p_user_id, whose account has ended, or none at all (null): makes the longest-standing manager the admin, or else the longest-standing member.';

revoke all on function app.succeed_admin(uuid, uuid) from public;
