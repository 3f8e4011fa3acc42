create function app.own_placements()
returns setof jsonb
language sql
stable
security definer
set search_path = ''
begin atomic
  select jsonb_build_object('postId', p.post_id, 'hubId', p.hub_id, 'kind', p.kind, 'placedAt', app.iso(p.placed_at))
  from app.placements as p
  where p.placed_by = app.user_id()
  order by p.placed_at desc, p.post_id desc, p.hub_id desc
  limit 100000;
end;
comment on function app.own_placements() is 'Of the export: what the caller published in Hubs or shared into them, also into those that they have left; no policy shows by whom a post is where.';

revoke all on function app.own_placements() from public;
grant execute on function app.own_placements() to authenticated;
