create function app.audience_of(p_event app.events)
returns app.audience
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if p_event.hub_id is not null then
    return case
      when p_event.type in ('hub_invite_received', 'hub_join_request_rejected', 'hub_member_removed') then 'hub_ready'::app.audience
      else 'hub_member'
    end;
  end if;
  return case
    when p_event.type = 'user_followed' then 'everybody'::app.audience
    when p_event.type in ('post_commented', 'post_shared_to_feed', 'post_voted') and p_event.post_id is not null then 'everybody'
    when p_event.type in ('post_reposted', 'post_vote_milestone', 'followed_user_posted') then coalesce((
      select case when p.visibility = 'private_locked_hub' then 'target_member'::app.audience else 'everybody' end
      from app.posts as p
      where p.id = p_event.post_id
    ), 'nobody')
    else 'nobody'
  end;
end
$$;
comment on function app.audience_of(app.events) is 'Who may see notifications of an event (spec.md "Visibility and mute"). What is about a Hub or a post and does not say which is for nobody.';

revoke all on function app.audience_of(app.events) from public;
