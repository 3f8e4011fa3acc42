create function app.candidates_for(p_event app.events, p_from uuid, p_limit integer) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return case
    when p_event.type in ('hub_post_created', 'post_shared_to_hub', 'hub_member_joined') then
      array(select app.members_of_hub(p_event, p_from, p_limit))
    when p_event.type = 'followed_user_posted' then array(select app.followers_of_actor(p_event, p_from, p_limit))
    when p_event.type = 'hub_join_request_created' then array(
      select app.admins_and_managers_of_hub(p_event, p_from, p_limit)
    )
    when p_event.type = 'hub_invite_received' then array(select app.invited_by_phone(p_event, p_from, p_limit))
    when p_event.type = 'post_reposted' then array(select app.owner_of_source(p_event, p_from, p_limit))
    when p_event.type in ('post_commented', 'post_shared_to_feed', 'post_voted') then
      array(select app.owner_of_post(p_event, p_from, p_limit))
    when p_event.type = 'comment_replied' then array(select app.authors_replied_to(p_event, p_from, p_limit))
    when p_event.type = 'user_mentioned' then array(select app.mentioned_users(p_event, p_from, p_limit))
    else array(select app.subject_of(p_event, p_from, p_limit))
  end;
end
$$;
comment on function app.candidates_for is
  'Returns the users that the type of an event addresses (docs/product.md N3): the first p_limit from p_from on, by '
  'id.';

create function app.subject_of(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql immutable set search_path = '' as $$
begin
  return query
  select p_event.subject_id where p_event.subject_id >= p_from;
end
$$;
comment on function app.subject_of is
  'Returns the subject of an event: the recipient of a follow, an approval, a rejection, a removal, a new role, a '
  'milestone or a decision of staff.';

create function app.followers_of_actor(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select f.follower_id
  from app.follows as f
  where f.followee_id = p_event.actor_id and not f.is_muted and f.follower_id >= p_from
    and f.created_at <= p_event.occurred_at
  order by f.follower_id
  limit p_limit;
end
$$;
comment on function app.followers_of_actor is
  'Returns the followers of the actor who followed before the event and have publication alerts on.';

-- The author of the original of a repost that is published into the Hub is left out, because post_reposted
-- notifies them.
create function app.members_of_hub(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
declare
  v_source_author_id uuid := (
    select source.author_id
    from app.posts as p
    join app.posts as source on source.id = p.source_post_id
    join app.placements as t on t.post_id = p.id and t.hub_id = p_event.hub_id and t.kind = 'targeted'
    where p.id = p_event.post_id
  );
begin
  return query
  select m.user_id
  from app.memberships as m
  where m.hub_id = p_event.hub_id and m.user_id >= p_from and m.joined_at <= p_event.occurred_at
    and m.user_id is distinct from v_source_author_id
  order by m.user_id
  limit p_limit;
end
$$;
comment on function app.members_of_hub is
  'Returns the members of a Hub who joined before the event: the recipients of posts and of new members.';

create function app.admins_and_managers_of_hub(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select m.user_id
  from app.memberships as m
  where m.hub_id = p_event.hub_id and m.role <> 'member' and m.user_id >= p_from
  order by m.user_id
  limit p_limit;
end
$$;
comment on function app.admins_and_managers_of_hub is
  'Returns the admins and managers of a Hub: the recipients of join requests.';

create function app.owner_of_post(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select p.author_id from app.posts as p where p.id = p_event.post_id and p.author_id >= p_from;
end
$$;
comment on function app.owner_of_post is
  'Returns the author of the post of an event: the recipient of comments and of feed shares.';

-- The author of the post is left out, because post_commented notifies them.
create function app.authors_replied_to(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select distinct replied_to.author_id
  from app.comments as c
  join app.comments as replied_to on replied_to.id in (c.parent_id, c.reply_to_id)
  join app.posts as p on p.id = c.post_id
  where c.id = p_event.comment_id and replied_to.author_id >= p_from and replied_to.author_id <> p.author_id
  order by replied_to.author_id
  limit p_limit;
end
$$;
comment on function app.authors_replied_to is
  'Returns the authors of the comment that a reply answers and of the first comment of its thread.';

-- The other events of the text come first.
create function app.mentioned_users(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
declare
  v_post app.posts;
  v_usernames text[];
begin
  select * into v_post from app.posts as p where p.id = p_event.post_id;
  v_usernames := app.usernames_in(
    case
      when p_event.comment_id is null then v_post.thought_text
      else (select c.body from app.comments as c where c.id = p_event.comment_id)
    end
  );
  return query
  select mentioned.user_id
  from app.profiles as mentioned
  where mentioned.username = any (v_usernames) and mentioned.user_id >= p_from
    and exists (select from app.seen_posts(mentioned.user_id) as seen where seen.id = v_post.id)
    and not exists (
      select
      from app.events as e
      where e.post_id = v_post.id and e.comment_id is not distinct from p_event.comment_id
        and e.type <> 'user_mentioned'
        and app.notifies(e, mentioned.user_id)
    )
  order by mentioned.user_id
  limit p_limit;
end
$$;
comment on function app.mentioned_users is
  'Returns the users whom the thought or comment of an event mentions, who can see it, and whom no other event '
  'notifies of the same text (docs/product.md N25).';

create function app.notifies(p_event app.events, p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return p_user_id = any (app.candidates_for(p_event, p_user_id, 1))
    and not exists (select from app.event_mutes as m where m.event_id = p_event.id and m.user_id = p_user_id);
end
$$;
comment on function app.notifies is
  'Returns whether an event notifies a user: its type addresses them, and they have not muted its Hub.';

create function app.owner_of_source(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select source.author_id
  from app.posts as p
  join app.posts as source on source.id = p.source_post_id
  where p.id = p_event.post_id and source.author_id >= p_from
    and (
      p_event.hub_id is null
      or exists (select from app.memberships as m where m.hub_id = p_event.hub_id and m.user_id = source.author_id)
    );
end
$$;
comment on function app.owner_of_source is
  'Returns the author of a repost''s original: once for a public repost; for a private one, once for each target Hub '
  'of which the author is a member (docs/product.md N7).';

create function app.invited_by_phone(p_event app.events, p_from uuid, p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
  select u.id
  from app.hub_invitations as i
  join app.users as u on u.phone = i.phone
  where i.id = p_event.invitation_id and u.id >= p_from
    and not exists (select from app.memberships as m where m.hub_id = i.hub_id and m.user_id = u.id);
end
$$;
comment on function app.invited_by_phone is
  'Returns the user with the phone of an invitation, if there is one and they are not a member of the Hub already.';

create view app.event_mutes as
select e.id as event_id, m.user_id
from app.events as e
join app.hub_mutes as m on m.hub_id = e.hub_id
where e.type in ('hub_post_created', 'post_shared_to_hub', 'post_reposted');
comment on view app.event_mutes is 'The users whose mute of a Hub silences an event (docs/product.md N13).';
