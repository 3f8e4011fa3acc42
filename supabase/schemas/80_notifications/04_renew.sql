-- Makes an invitation or a change of role the newest state of the notification of an earlier one.
--
-- That is one to the same person of the same Hub within 24 hours of the first. The notification is unread
-- again, and moves up. Streams hear of it at once; devices get at most one push in 10 minutes, which
-- app.claim_pushes drops if it has been read by then. Changes in a Hub are serialised (app.lock_hub). The new
-- event is inserted if there is no such notification, or the person must not be notified of this actor.
create function app.renew_event() returns trigger
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := app.now();
  v_recipient_id uuid := new.subject_id;
  v_found record;
  v_push_at timestamptz;
begin
  if new.type = 'hub_invite_received' then
    select u.id into v_recipient_id
    from app.hub_invitations as i
    join app.users as u on u.phone = i.phone
    where i.id = new.invitation_id;
  end if;
  select n.id, e.id as event_id, coalesce(e.pushed_at, e.occurred_at) as pushed_at into v_found
  from app.notifications as n
  join app.events as e on e.id = n.event_id
  where n.recipient_id = v_recipient_id and n.audience_id = new.hub_id and n.created_at > v_now - interval '24 hours'
    and n.audience = case new.type when 'hub_invite_received' then 'hub_ready'::app.audience else 'hub_member' end
    and e.type = new.type and e.occurred_at > v_now - interval '24 hours'
    and new.actor_id is distinct from v_recipient_id
    and not exists (
      select from app.blocked_pairs as b where b.user_id = v_recipient_id and b.other_id = new.actor_id
    )
  order by n.created_at desc
  limit 1
  for no key update of n;
  if not found then
    return new;
  end if;
  -- A push that is still to come carries the newest state.
  if v_found.pushed_at <= v_now
    and not exists (select from app.outbox as o where o.notification_id = v_found.id and not o.is_queued) then
    v_push_at := greatest(v_now, v_found.pushed_at + interval '10 minutes');
    insert into app.pushes (notification_id, token_hash, due_at)
    select v_found.id, d.token_hash, v_push_at from app.device_tokens as d where d.user_id = v_recipient_id
    on conflict do nothing;
  end if;
  update app.events as e
  set actor_id = new.actor_id, invitation_id = new.invitation_id, pushed_at = coalesce(v_push_at, e.pushed_at)
  where e.id = v_found.event_id;
  update app.notifications as n
  set actor_id = new.actor_id, created_at = v_now, read_at = null
  where n.id = v_found.id;
  insert into app.outbox (notification_id, due_at, is_queued) values (v_found.id, v_now, true)
  on conflict (notification_id) do nothing;
  return null;
end
$$;
comment on function app.renew_event is
  'Trigger: renews the notification of an invitation or a role within 24 hours (docs/product.md N33).';

create trigger events_renew_before_insert before insert on app.events
for each row when (new.type in ('hub_invite_received', 'hub_role_changed'))
execute function app.renew_event();

create function app.hide_request_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update app.notifications as n
  set audience = 'nobody'
  from app.events as e
  where e.join_request_id = new.id and e.type = 'hub_join_request_created' and n.event_id = e.id;
  return null;
end
$$;
comment on function app.hide_request_notifications is
  'Trigger: hides the notifications of a withdrawn join request from everybody (docs/product.md H27).';

create trigger join_requests_hide_after_update after update of state on app.join_requests
for each row when (new.state = 'withdrawn' and old.state <> 'withdrawn')
execute function app.hide_request_notifications();

-- Lets the notifications of an earlier request of the last 24 hours be those of a new one by an invite link,
-- read or unread as they were. Who has become an admin or manager since then is notified. Without an earlier
-- request the new event is inserted.
create function app.show_join_request_again() returns trigger
language plpgsql set search_path = '' as $$
declare
  v_event app.events;
begin
  update app.events as e
  set join_request_id = new.join_request_id
  where e.id = (
    select former.id
    from app.events as former
    where former.subject_id = new.subject_id and former.hub_id = new.hub_id
      and former.type = 'hub_join_request_created' and former.occurred_at > app.now() - interval '24 hours'
    order by former.occurred_at desc
    limit 1
  ) and exists (select from app.join_requests as r where r.id = new.join_request_id and r.link_id is not null)
  returning * into v_event;
  if v_event.id is null then
    return new;
  end if;
  update app.notifications as n set audience = 'hub_member' where n.event_id = v_event.id;
  perform app.deliver_event(v_event);
  return null;
end
$$;
comment on function app.show_join_request_again is
  'Trigger: shows the notifications of a join request that is made again (docs/product.md H30).';

create trigger events_show_again_before_insert before insert on app.events
for each row when (new.type = 'hub_join_request_created')
execute function app.show_join_request_again();
