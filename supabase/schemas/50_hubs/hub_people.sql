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
    case when m.user_id is not null then coalesce(h.display_name, p.full_name) else p.full_name end,
    case when m.user_id is not null then h.photo_asset_id else p.photo_asset_id end,
    p.username,
    case when m.user_id is not null then u.phone end,
    m.user_id is not null
  from app.profiles as p
  join app.users as u on u.id = p.user_id
  left join app.memberships as m on m.hub_id = p_hub_id and m.user_id = p.user_id
  left join app.hub_profiles as h on h.user_id = p.user_id
  where p.user_id = any (p_user_ids);
end
$$;
comment on function app.hub_people(uuid, uuid[]) is 'People as the members of a Hub see them, nobody where the caller is none of them; whose account has ended is nobody. It reads phones and private Hub profiles, which no policy shows, and past blocks, which do not touch Hubs (contract.md 6).';

revoke all on function app.hub_people(uuid, uuid[]) from public;
grant execute on function app.hub_people(uuid, uuid[]) to authenticated;
