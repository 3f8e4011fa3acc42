create function app.is_withheld(p_notification app.notifications)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return exists (
    select
    from app.estrangements as e
    where e.user_id = p_notification.recipient_id
      and e.other_id in (p_notification.actor_id, p_notification.author_id)
  )
  or p_notification.audience = 'target_member' and not exists (
    select
    from app.events as e
    join app.posts as p on p.id = e.post_id
    where e.id = p_notification.event_id
      and (
        p.author_id = p_notification.recipient_id
        or exists (
          select
          from app.placements as t
          join app.memberships as m on m.hub_id = t.hub_id and m.user_id = p_notification.recipient_id
          where t.post_id = p.id
        )
      )
  );
end
$$;
comment on function app.is_withheld(app.notifications) is 'Whether its recipient may not see a notification though they see others of the same scope: between them and who acted, or whose post it is, stands a block; or the post is another''s and in Hubs of which they are in none.';

revoke all on function app.is_withheld(app.notifications) from public;
