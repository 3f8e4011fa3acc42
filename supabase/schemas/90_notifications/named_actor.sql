create function app.named_actor(p_type app.event_type, p_actor_id uuid)
returns uuid
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return case when p_type not in ('post_vote_milestone', 'post_voted') then p_actor_id end;
end
$$;
comment on function app.named_actor(app.event_type, uuid) is 'Whose act a notification says it was: nobody''s where it is of votes (spec.md "Notification types").';

revoke all on function app.named_actor(app.event_type, uuid) from public;
