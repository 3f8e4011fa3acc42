create view app.event_details as
select
  e.id, e.type, e.post_id, p.source_post_id, e.comment_id, e.hub_id, e.invitation_id, e.join_request_id, e.milestone_total,
  e.milestone_count, actor
from app.events as e
left join app.profiles as actor
  on actor.user_id = app.named_actor(e.type, e.actor_id)
  and not exists (select from app.users_hidden_from_all as h where h.user_id = actor.user_id)
left join app.posts as p on p.id = e.post_id;
comment on view app.event_details is 'What a notification shows of its event. The inbox, the stream, push messages and the export all read the actor here: null where it is anonymous, because the event is about votes, or the account is hidden from everybody or gone.';
