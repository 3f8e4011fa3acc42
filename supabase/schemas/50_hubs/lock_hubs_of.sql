create function app.lock_hubs_of(p_user_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform app.lock_hub(theirs.hub_id)
  from (select m.hub_id from app.memberships as m where m.user_id = p_user_id order by m.hub_id) as theirs;
end
$$;
comment on function app.lock_hubs_of(uuid) is 'Locks every Hub of somebody as app.lock_hub does, in the order that keeps two from waiting for each other.';

revoke all on function app.lock_hubs_of(uuid) from public;
