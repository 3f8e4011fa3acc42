create function app.candidates_for(p_event app.events, p_after uuid, p_limit integer)
returns uuid[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return case
    when p_event.type in ('hub_post_created', 'post_shared_to_hub', 'hub_member_joined') then
      array(select app.members_of_hub(p_event, p_after, p_limit))
    when p_event.type = 'followed_user_posted' then array(select app.followers_of_actor(p_event, p_after, p_limit))
    when p_event.type = 'hub_join_request_created' then array(select app.staff_of_hub(p_event, p_after, p_limit))
    when p_event.type = 'hub_invite_received' then array(select app.invited_by_phone(p_event, p_after, p_limit))
    when p_event.type = 'post_reposted' then array(select app.owner_of_source(p_event, p_after, p_limit))
    when p_event.type in ('post_commented', 'post_shared_to_feed', 'post_voted') then
      array(select app.owner_of_post(p_event, p_after, p_limit))
    else array(select app.subject_of(p_event, p_after, p_limit))
  end;
end
$$;
comment on function app.candidates_for(app.events, uuid, integer) is 'Whom an event is for by its type (spec.md "Notification types"), of those behind p_after the first p_limit in the order of their ids.';

revoke all on function app.candidates_for(app.events, uuid, integer) from public;
