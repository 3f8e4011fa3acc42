create function app.own_saved_posts()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('postId', s.post_id, 'savedAt', app.iso(s.saved_at))
  from app.saved_posts as s
  where s.user_id = app.user_id()
  order by s.saved_at desc, s.post_id desc
  limit 100000;
end;
comment on function app.own_saved_posts() is 'Of the export: what the caller saved.';

revoke all on function app.own_saved_posts() from public;
grant execute on function app.own_saved_posts() to authenticated;
