create function app.name_members()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  -- Whoever changes a name at the same time waits for this, or this for them.
  perform from app.profiles as p
  where p.user_id in (select n.user_id from present as n)
  order by p.user_id
  for share;
  insert into app.member_names (hub_id, name, user_id)
  select n.hub_id, called.name, n.user_id from present as n cross join lateral app.names_of(n.user_id) as called (name);
  return null;
end
$$;
comment on function app.name_members() is 'Keeps app.member_names: after memberships are made.';

revoke all on function app.name_members() from public;
