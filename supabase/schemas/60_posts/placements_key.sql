create function app.placements_key(p_post_id uuid)
returns bigint
language sql
immutable
set search_path = ''
return hashtextextended('placements ' || p_post_id, 0);
comment on function app.placements_key(uuid) is 'The advisory lock that orders placing a post in Hubs and counting concurrent votes on it.';

revoke all on function app.placements_key(uuid) from public;
grant execute on function app.placements_key(uuid) to authenticated;
