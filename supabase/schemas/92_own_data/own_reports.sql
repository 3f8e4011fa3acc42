create function app.own_reports()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object(
    'reportId', r.id, 'userId', r.user_id, 'postId', r.post_id, 'hubId', r.hub_id, 'commentId', r.comment_id,
    'messageId', r.message_id, 'reason', r.reason, 'details', r.details, 'state', r.state, 'createdAt', app.iso(r.created_at)
  )
  from app.reports as r
  where r.reporter_id = app.user_id()
  order by r.created_at desc, r.id desc
  limit 100000;
end;
comment on function app.own_reports() is 'Of the export: what the caller reported; never who reported them.';

revoke all on function app.own_reports() from public;
grant execute on function app.own_reports() to authenticated;
