create function app.rename_member()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_user_id uuid := coalesce(new.user_id, old.user_id);
  v_names text[];
begin
  perform from app.profiles as p where p.user_id = v_user_id for no key update;
  -- Whoever removes them from a Hub comes before this, or after.
  perform from app.memberships as m where m.user_id = v_user_id order by m.hub_id for key share;
  v_names := array(select app.names_of(v_user_id));
  delete from app.member_names as n where n.user_id = v_user_id and n.name <> all (v_names);
  insert into app.member_names (hub_id, name, user_id)
  select m.hub_id, called.name, m.user_id
  from app.memberships as m
  cross join unnest(v_names) as called (name)
  where m.user_id = v_user_id
  on conflict do nothing;
  return null;
end
$$;
comment on function app.rename_member() is 'Keeps app.member_names: after somebody has another name, or none, in profiles or hub_profiles.';

revoke all on function app.rename_member() from public;
