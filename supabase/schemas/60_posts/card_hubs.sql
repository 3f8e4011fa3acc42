create function app.card_hubs(p_post_id uuid)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name) order by p.placed_at, p.hub_id), '[]')
    from app.placements as p
    join app.hubs as h on h.id = p.hub_id
    where p.post_id = p_post_id
  );
end
$$;
comment on function app.card_hubs(uuid) is 'The Hubs that a post is in and of which the caller is an active member, as cards name them; a guest is a member of none.';

revoke all on function app.card_hubs(uuid) from public;
grant execute on function app.card_hubs(uuid) to anon, authenticated;
