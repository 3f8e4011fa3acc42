create function app.delete_invitation_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from app.notifications as n
  using app.events as e, app.hub_invitations as i
  where i.phone = old.phone and e.invitation_id = i.id and n.event_id = e.id and n.recipient_id = old.id;
  return null;
end
$$;
comment on function app.delete_invitation_notifications is
  'Trigger: a user with another phone is notified of no invitation to the old one (docs/product.md I22).';

create trigger users_delete_invitation_notifications_after_update after update of phone on app.users
for each row when (old.phone <> new.phone)
execute function app.delete_invitation_notifications();

-- The update raises the versions of inboxes. Most updates of comments hide none, and end after a look at
-- their rows.
create function app.hide_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_hidden uuid[];
  v_shown uuid[];
begin
  select
    array_agg(c.id) filter (where c.is_hidden), array_agg(c.id) filter (where not c.is_hidden)
  into v_hidden, v_shown
  from present as c
  join former as f on f.id = c.id and f.is_hidden <> c.is_hidden;
  if num_nonnulls(v_hidden, v_shown) = 0 then
    return null;
  end if;
  perform
  from app.events as e
  join app.notifications as n on n.event_id = e.id
  where e.comment_id = any (v_hidden || v_shown)
  -- The order of app.mark_all_read.
  order by n.id
  for no key update of n;
  update app.notifications as n
  set is_comment_hidden = e.comment_id = any (coalesce(v_hidden, '{}'))
  from app.events as e
  where e.comment_id = any (v_hidden || v_shown) and n.event_id = e.id;
  return null;
end
$$;
comment on function app.hide_notifications is
  'Trigger: hides the notifications about comments that a block hides, and shows them again (docs/product.md N10).';

create trigger comments_hide_notifications_after_update after update on app.comments
referencing old table as former new table as present
for each statement execute function app.hide_notifications();

create function app.show_thread() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update app.notifications as n
  set thread_author_id = null
  from app.comments as reply
  join app.events as e on e.comment_id = reply.id
  where reply.parent_id = old.id and n.event_id = e.id and n.thread_author_id = old.author_id;
  return null;
end
$$;
comment on function app.show_thread is
  'Trigger: a block of the author of a deleted comment no longer hides the replies to it (docs/product.md N10).';

create trigger comments_show_thread_after_update after update of author_id on app.comments
for each row when (new.author_id is null and old.author_id is not null)
execute function app.show_thread();
