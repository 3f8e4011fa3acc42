create function app.lock_own_memberships(p_hub_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_hub_id uuid;
begin
  if not p_hub_ids <@ array(select mine.hub_id from app.my_hubs as mine) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  for v_hub_id in select target.id from unnest(p_hub_ids) as target (id) order by target.id loop
    perform app.hold_member(v_hub_id);
  end loop;
end
$$;
comment on function app.lock_own_memberships(uuid[]) is 'Keeps the caller a member of these Hubs until the end of the transaction. Raises FORBIDDEN for a Hub that the caller is not an active member of.';

revoke all on function app.lock_own_memberships(uuid[]) from public;
grant execute on function app.lock_own_memberships(uuid[]) to authenticated;
