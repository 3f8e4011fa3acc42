create view app.due_notifications as
select
  v.id,
  v.recipient_id,
  json_object(
    'notificationId': v.id,
    'type': e.type,
    'recipientUserId': v.recipient_id,
    'actorIsAnonymous': (e.actor).user_id is null,
    'actorId': (e.actor).user_id,
    'postId': e.post_id,
    'sourcePostId': e.source_post_id,
    'commentId': e.comment_id,
    'hubId': e.hub_id,
    'invitationId': e.invitation_id,
    'joinRequestId': e.join_request_id
    absent on null returning jsonb
  ) as envelope
from app.visible_notifications as v
join app.event_details as e on e.id = v.event_id
where v.read_at is null
  and not (app.honours_mute(e.type, e.hub_id) and exists (
    select from app.hub_mutes as m where m.hub_id = e.hub_id and m.user_id = v.recipient_id
  ));
comment on view app.due_notifications is 'The notifications of which people may be told at the moment, on the stream or by push: visible, unread, and of no Hub that they have muted since; and what hints and push messages say of them: ids alone (spec.md "Delivery" 5).';
