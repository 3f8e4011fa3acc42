create view app.judged_notifications as
select
  n.*,
  exists (
    select
    from app.blocked_pairs as b
    where b.user_id = n.recipient_id and b.other_id in (n.actor_id, n.author_id)
  )
  or n.audience = 'target_member' and not exists (
    select
    from app.events as e
    join app.posts as p on p.id = e.post_id
    where e.id = n.event_id
      and (
        p.author_id = n.recipient_id
        or exists (
          select
          from app.placements as t
          join app.memberships as m on m.hub_id = t.hub_id and m.user_id = n.recipient_id
          where t.post_id = p.id
        )
      )
  ) as is_withheld
from app.notifications as n;
comment on view app.judged_notifications is 'Notifications, and whether their recipients may not see them though they see others of the same scope: between them and who acted, or whose post it is, stands a block; or the post is another''s and in Hubs of which they are in none.';
