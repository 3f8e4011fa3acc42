create function app.own_reposts()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select f.item
  from app.own_frames as f
  where f.is_repost
  order by f.created_at desc, f.id desc
  limit 100000;
end;
comment on function app.own_reposts() is 'Of the export: the caller''s reposts, without what those are of.';

revoke all on function app.own_reposts() from public;
grant execute on function app.own_reposts() to authenticated;
