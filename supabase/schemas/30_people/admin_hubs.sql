create function app.admin_hubs(p_user_id uuid)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object('id', h.id, 'name', h.name, 'profilePhotoUrl', app.photo_url(h.photo_asset_id)) order by m.joined_at, h.id
    ), '[]')
    from app.memberships as m
    join app.hubs as h on h.id = m.hub_id
    where m.user_id = p_user_id and m.role = 'admin'
  );
end
$$;
comment on function app.admin_hubs(uuid) is 'The Hubs of which somebody is an admin, as public profiles name them (spec.md "User and profile"): the one thing of memberships that is public.';

revoke all on function app.admin_hubs(uuid) from public;
grant execute on function app.admin_hubs(uuid) to anon, authenticated;
