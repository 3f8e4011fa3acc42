create function app.hub_people(p_hub_id uuid, p_user_ids uuid[])
returns setof app.hub_person
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  if not exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id = app.user_id()) then
    return;
  end if;
  return query
  select
    p.user_id,
    case when m.role is not null then coalesce(h.display_name, p.full_name) else p.full_name end,
    case when m.role is not null then h.photo_asset_id else p.photo_asset_id end,
    p.username,
    case when m.role is not null then u.phone end,
    m.role,
    m.joined_at
  from (
    select distinct wanted.id
    from unnest(p_user_ids) as wanted (id)
    where not exists (select from app.users_hidden_from_all as h where h.user_id = wanted.id)
  ) as wanted
  -- One look each: the planner would rather read everybody in the Hub than believe how few are wanted.
  cross join lateral (select * from app.profiles as p where p.user_id = wanted.id limit 1) as p
  cross join lateral (select u.phone from app.users as u where u.id = wanted.id limit 1) as u
  left join lateral (
    select m.role, m.joined_at from app.memberships as m where m.hub_id = p_hub_id and m.user_id = wanted.id limit 1
  ) as m on true
  left join lateral (
    select h.display_name, h.photo_asset_id from app.hub_profiles as h where h.user_id = wanted.id limit 1
  ) as h on true;
end
$$;
comment on function app.hub_people(uuid, uuid[]) is 'People as the members of a Hub see them, nobody where the caller is none of them; people hidden from everybody, and ended accounts, are nobody. It reads phones and private Hub profiles, which no policy shows, and past blocks, which do not touch Hubs (contract.md 6).';

revoke all on function app.hub_people(uuid, uuid[]) from public;
grant execute on function app.hub_people(uuid, uuid[]) to authenticated;
