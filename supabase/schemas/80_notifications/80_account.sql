create function app.move_events(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.events as e
  using app.events as own
  where e.subject_id = p_from and e.type = 'post_vote_milestone'
    and own.subject_id = p_into and own.type = e.type and own.post_id = e.post_id
    and (own.milestone_total, own.milestone_count) = (e.milestone_total, e.milestone_count);
  -- One notification of what both did, or of what somebody did to both, within a day.
  delete from app.events as e
  using app.events as own
  where e.actor_id = p_from and e.type in ('user_followed', 'post_shared_to_feed')
    and own.actor_id = p_into and own.type = e.type
    and coalesce(own.post_id, own.subject_id) = coalesce(e.post_id, e.subject_id)
    and own.occurred_at between e.occurred_at - interval '24 hours' and e.occurred_at + interval '24 hours';
  delete from app.events as e
  using app.events as own
  where e.subject_id = p_from and e.type = 'user_followed'
    and own.subject_id = p_into and own.type = e.type and own.actor_id = e.actor_id
    and own.occurred_at between e.occurred_at - interval '24 hours' and e.occurred_at + interval '24 hours';
  update app.notifications as n
  set actor_id = p_into
  from app.events as e
  where e.actor_id = p_from and n.event_id = e.id;
  update app.notifications as n
  set author_id = case n.author_id when p_from then p_into else n.author_id end,
    audience_id = case n.audience_id when p_from then p_into else n.audience_id end
  from app.posts as p
  join app.events as e on e.post_id = p.id
  where p.author_id = p_into and n.event_id = e.id and n.recipient_id <> p_from
    and p_from in (n.author_id, n.audience_id);
  update app.notifications as n
  set thread_author_id = p_into
  from app.comments as root
  join app.comments as reply on reply.parent_id = root.id
  join app.events as e on e.comment_id = reply.id
  where root.author_id = p_into and n.event_id = e.id and n.thread_author_id = p_from;
  update app.events set actor_id = p_into where actor_id = p_from;
  update app.events set subject_id = p_into where subject_id = p_from;
  -- A user must not be notified of following themselves.
  delete from app.events where type = 'user_followed' and actor_id = p_into and subject_id = p_into;
end
$$;
comment on function app.move_events is
  'Moves the events of a merged account, and who is named in notifications of others (docs/product.md I16).';

create function app.move_notifications(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.notifications where recipient_id = p_from and actor_id = p_into;
  delete from app.notifications where recipient_id = p_into and actor_id = p_into;
  update app.notifications as n
  set recipient_id = p_into, audience_id = case n.audience_id when p_from then p_into else n.audience_id end,
    author_id = nullif(n.author_id, p_into), thread_author_id = nullif(n.thread_author_id, p_into)
  where n.recipient_id = p_from and not exists (
    select from app.notifications as own where own.event_id = n.event_id and own.recipient_id = p_into
  );
  delete from app.notifications where recipient_id = p_from;
  perform app.lock_inbox_counts();
  delete from app.inbox_counts where user_id = p_from;
  update app.notification_preferences as p
  set user_id = p_into
  where p.user_id = p_from
    and not exists (select from app.notification_preferences as own where own.user_id = p_into);
  update app.device_tokens set user_id = p_into, session_id = null where user_id = p_from;
  perform app.keep_newest_device_tokens(p_into);
end
$$;
comment on function app.move_notifications is
  'Moves the inbox, the preferences and the device tokens of a merged account (docs/product.md I16).';

create function app.erase_preferences(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.notification_preferences where user_id = p_user_id;
end;
comment on function app.erase_preferences is
  'Deletes the preferences of an ended account for notifications (docs/product.md I17).';

-- Locked rows are left to the next batch. An event goes when its notifications are gone.
--
-- Returns whether more are left.
create function app.erase_notifications(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.notifications
  where id in (
    select n.id from app.notifications as n where n.recipient_id = p_user_id limit 1000 for update skip locked
  );
  delete from app.notifications
  where id in (
    select n.id
    from app.events as e
    join app.notifications as n on n.event_id = e.id
    where e.actor_id = p_user_id
    limit 5000
    for update of n skip locked
  );
  delete from app.notifications
  where id in (
    select n.id
    from app.events as e
    join app.notifications as n on n.event_id = e.id
    where e.subject_id = p_user_id
    limit 5000
    for update of n skip locked
  );
  delete from app.events
  where id in (
    select e.id
    from app.events as e
    where e.actor_id = p_user_id and not exists (select from app.notifications as n where n.event_id = e.id)
    limit 1000
    for update skip locked
  );
  delete from app.events
  where id in (
    select e.id
    from app.events as e
    where e.subject_id = p_user_id and not exists (select from app.notifications as n where n.event_id = e.id)
    limit 1000
    for update skip locked
  );
  return exists (select from app.notifications where recipient_id = p_user_id)
    or exists (select from app.events where actor_id = p_user_id)
    or exists (select from app.events where subject_id = p_user_id);
end
$$;
comment on function app.erase_notifications is 'Deletes a batch of the notifications to and about an ended account.';

-- Returns whether its audience is still counted by others.
create function app.erase_inbox(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform app.lock_inbox_counts();
  delete from app.inbox_counts where user_id = p_user_id;
  return app.delete_audience_changes(p_user_id);
end
$$;
comment on function app.erase_inbox is 'Deletes the counters of the inbox of an ended account.';

-- Returns whether more may be left.
create function app.close_hub_notifications(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.notifications as n
  where n.id in (
    select old.id
    from app.events as e
    join app.notifications as old on old.event_id = e.id
    where e.hub_id = p_hub_id
    limit 5000
    for update of old skip locked
  );
  if found or exists (
    select from app.events as e join app.notifications as n on n.event_id = e.id where e.hub_id = p_hub_id
  ) then
    return true;
  end if;
  delete from app.events as e
  where e.id in (select old.id from app.events as old where old.hub_id = p_hub_id limit 5000 for update skip locked);
  return found or exists (select from app.events as e where e.hub_id = p_hub_id);
end
$$;
comment on function app.close_hub_notifications is 'Deletes a batch of the notifications and events of a closed Hub.';

-- Withheld ones would reveal who blocks the caller.
create function app.export_notifications() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', n.id, 'type', e.type, 'actorId', (e.actor).user_id, 'postId', e.post_id, 'commentId', e.comment_id, 'hubId',
    e.hub_id,
    'invitationId', e.invitation_id, 'joinRequestId', e.join_request_id, 'decisionId', e.decision_id, 'milestoneTotal',
    e.milestone_total,
    'milestoneCount', e.milestone_count, 'createdAt', app.iso(n.created_at), 'readAt', app.iso(n.read_at)
  )
  from app.visible_notifications as n
  join app.event_details as e on e.id = n.event_id
  where n.recipient_id = app.user_id()
  order by n.created_at desc, n.id desc
  limit 100000;
end;
comment on function app.export_notifications is
  'Returns the section notifications of the export: those that the caller may see at the moment.';
grant execute on function app.export_notifications to authenticated;

create function app.export_preferences() returns jsonb
language sql stable set search_path = ''
begin atomic
  select app.preferences_json() from app.notification_preferences as p where p.user_id = app.user_id();
end;
comment on function app.export_preferences is
  'Returns the section notificationPreferences of the export; null unless the caller has changed them.';
grant execute on function app.export_preferences to authenticated;
