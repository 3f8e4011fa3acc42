create function app.own_notifications()
returns setof jsonb
language sql
stable
security definer
set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', n.id, 'type', e.type, 'actorId', (e.actor).user_id, 'postId', e.post_id, 'commentId', e.comment_id, 'hubId', e.hub_id,
    'invitationId', e.invitation_id, 'joinRequestId', e.join_request_id, 'milestoneTotal', e.milestone_total,
    'milestoneCount', e.milestone_count, 'createdAt', app.iso(n.created_at), 'readAt', app.iso(n.read_at)
  )
  from app.visible_notifications as n
  join app.event_details as e on e.id = n.event_id
  where n.recipient_id = app.user_id()
  order by n.created_at desc, n.id desc
  limit 100000;
end;
comment on function app.own_notifications() is 'Of the export: the caller''s inbox, as far as they may see it at the moment: what is withheld would tell who blocks them.';

revoke all on function app.own_notifications() from public;
grant execute on function app.own_notifications() to authenticated;
