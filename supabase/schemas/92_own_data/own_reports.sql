create function app.own_reports()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object(
    'reportId', r.id, 'userId', case when not exists (select from app.users_hidden_from_all as h where h.user_id = r.user_id) then r.user_id end, 'postId', r.post_id, 'hubId', r.hub_id, 'commentId', r.comment_id,
    'messageId', r.message_id, 'reason', r.reason, 'details', r.details, 'state', r.state, 'createdAt', app.iso(r.created_at)
  )
  from app.reports as r
  where r.reporter_id = app.user_id()
  order by r.created_at desc, r.id desc
  limit 100000;
end;
comment on function app.own_reports() is 'Of the export: what the caller reported, without the id of a person hidden from everybody; never who reported the caller.';

revoke all on function app.own_reports() from public;
grant execute on function app.own_reports() to authenticated;
