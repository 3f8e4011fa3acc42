create function app.named_actor(p_event app.events)
returns uuid
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return case when p_event.type not in ('post_vote_milestone', 'post_voted') then p_event.actor_id end;
end
$$;
comment on function app.named_actor(app.events) is 'Whose act a notification says it was: nobody''s where it is of votes (spec.md "Notification types").';

revoke all on function app.named_actor(app.events) from public;
