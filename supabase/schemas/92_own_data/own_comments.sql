create function app.own_comments()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', c.id, 'postId', c.post_id, 'parentCommentId', c.parent_id, 'text', c.body, 'assetId', c.asset_id,
    'createdAt', app.iso(c.created_at)
  )
  from app.comments as c
  where c.author_id = app.user_id()
  order by c.created_at desc, c.id desc
  limit 100000;
end;
comment on function app.own_comments() is 'Of the export: what the caller said under posts.';

revoke all on function app.own_comments() from public;
grant execute on function app.own_comments() to authenticated;
