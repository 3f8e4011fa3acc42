create function app.own_posts()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select f.item
  from app.own_frames as f
  where not f.is_repost
  order by f.created_at desc, f.id desc
  limit 100000;
end;
comment on function app.own_posts() is 'Of the export: the caller''s posts.';

revoke all on function app.own_posts() from public;
grant execute on function app.own_posts() to authenticated;
