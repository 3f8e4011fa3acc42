create function app.listed_members(p_hub_id uuid, p_user_ids uuid[])
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(app.hub_member(person) order by entry.place), '[]')
    from unnest(p_user_ids) with ordinality as entry (user_id, place)
    join app.hub_people(p_hub_id, p_user_ids) as person on person.user_id = entry.user_id and person.role is not null
  );
end
$$;
comment on function app.listed_members(uuid, uuid[]) is 'Members of a Hub of the caller''s, in this order.';

revoke all on function app.listed_members(uuid, uuid[]) from public;
grant execute on function app.listed_members(uuid, uuid[]) to authenticated;
