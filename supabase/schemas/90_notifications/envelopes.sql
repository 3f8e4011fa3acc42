create view app.envelopes as
select
  n.id,
  jsonb_strip_nulls(jsonb_build_object(
    'notificationId', n.id,
    'type', e.type,
    'recipientUserId', n.recipient_id,
    'actorIsAnonymous', actor.user_id is null,
    'actorId', actor.user_id,
    'postId', e.post_id,
    'sourcePostId', p.source_post_id,
    'commentId', e.comment_id,
    'hubId', e.hub_id,
    'invitationId', e.invitation_id,
    'joinRequestId', e.join_request_id
  )) as envelope
from app.notifications as n
join app.events as e on e.id = n.event_id
left join app.profiles as actor on actor.user_id = app.named_actor(e)
left join app.posts as p on p.id = e.post_id;
comment on view app.envelopes is 'What hints and push messages say of notifications: ids alone (spec.md "Delivery" 5).';
