create function api.delete_account(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_level(1);
  perform app.end_user(app.user_id());
  return '{}'::jsonb;
end
$$;
comment on function api.delete_account is 'DELETE /users/me (docs/product.md I17-I19). Ends the caller''s account. Sessions, device tokens, phone, contacts, name and handle are deleted at once, posts are hidden at once, and the worker removes the rest. Takes no args. Returns {}. Errors: UNAUTHORIZED.';
grant execute on function api.delete_account to authenticated;

create function app.erase_person(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  -- A concurrent sign-in locks this row until its session is visible.
  perform from app.users where id = p_user_id for update;
  -- The deletion of a post takes its saves and held votes along.
  perform from app.posts as p
  where p.id in (
    select s.post_id from app.saved_posts as s where s.user_id = p_user_id
    union all
    select h.post_id from app.held_votes as h where h.user_id = p_user_id
  )
  order by p.id
  for key share;
  delete from app.sessions where user_id = p_user_id;
  delete from app.device_tokens where user_id = p_user_id;
  delete from app.contact_snapshots where user_id = p_user_id;
  delete from app.profiles where user_id = p_user_id;
  delete from app.hub_profiles where user_id = p_user_id;
  delete from app.uploads where owner_id = p_user_id and asset_id is null;
  delete from app.suspended_memberships where user_id = p_user_id;
  delete from app.default_feed_users where user_id = p_user_id;
  delete from app.rate_limits where subject = p_user_id::text;
  delete from app.sign_in_places where user_id = p_user_id;
  delete from gateway.idempotent_answers where user_id = p_user_id;
  delete from app.hub_invitations where inviter_id = p_user_id;
  delete from app.invite_links where creator_id = p_user_id;
  delete from app.join_requests where user_id = p_user_id;
  delete from app.saved_discussions where user_id = p_user_id;
  delete from app.discussion_reads where user_id = p_user_id;
  delete from app.hub_mutes where user_id = p_user_id;
  delete from app.notification_preferences where user_id = p_user_id;
  delete from app.feed_changes where subject_id = p_user_id;
  delete from app.saved_posts where user_id = p_user_id;
  delete from app.held_votes where user_id = p_user_id;
  delete from app.removed_contents where author_id = p_user_id;
  -- Keep decisions that concern others too, such as the suspension of a Hub.
  delete from app.decisions as d
  using app.decision_subjects as s
  where s.decision_id = d.id and s.user_id = p_user_id
    and not exists (select from app.decision_subjects as other where other.decision_id = d.id and other.user_id <> p_user_id);
  delete from app.decision_subjects where user_id = p_user_id;
  -- An appeal against such a decision stays with it, for the others.
  update app.appeals set user_id = null where user_id = p_user_id;
  update app.reports set reporter_id = null where reporter_id = p_user_id;
  -- Open invitations to the phone stay: their end would reveal that the number had an account.
  delete from app.hub_invitations as i
  using app.users as u
  where u.id = p_user_id and i.phone = u.phone and i.state <> 'pending';
  -- A contact with this phone is an entry about this person, so the whole entry goes.
  delete from app.contacts as c
  using app.users as u
  where u.id = p_user_id and c.phone_numbers @> array[u.phone];
  update app.users
  set phone = null, phone_verified_at = null, device_hash = null, terms_version = null, terms_accepted_at = null,
    media_completed_at = null, contacts_synced_at = null, ended_at = coalesce(ended_at, app.now())
  where id = p_user_id;
end
$$;
comment on function app.erase_person is 'Ends an account and erases its identity: sessions, device tokens, phone, device, contacts, name, handle and photos. The row stays, as an id alone, for the receipts of its votes.';

create function app.remove_belongings(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_post_ids uuid[];
  v_discussion_ids uuid[];
begin
  -- Delete posts and comments in separate transactions, so that each locks posts in the order of their ids.
  v_post_ids := array(select p.id from app.posts as p where p.author_id = p_user_id order by p.id limit 200);
  if v_post_ids <> '{}' then
    perform from app.posts as p
    where p.id in (
      select unnest(v_post_ids)
      union all
      select own.source_post_id from app.posts as own where own.id = any (v_post_ids)
    )
    order by p.id
    for no key update;
    perform from app.posts as p where p.id = any (v_post_ids) order by p.id for update;
    delete from app.posts as p where p.id = any (v_post_ids);
    return true;
  end if;
  perform app.erase_comment(c.id)
  from (select own.id from app.comments as own where own.author_id = p_user_id order by own.post_id limit 200) as c;
  if found then
    return true;
  end if;
  delete from app.articles as a
  where a.author_id = p_user_id and not exists (select from app.posts as p where p.article_id = a.id);
  update app.hubs as h
  set photo_asset_id = null
  from app.assets as a
  where a.owner_id = p_user_id and h.photo_asset_id = a.id;
  -- Deletions of posts and Hubs lock rows in another order, so skip what they have locked. A later batch removes it.
  v_discussion_ids := array(
    select d.id
    from app.discussions as d
    where d.id in (select m.discussion_id from app.messages as m where m.author_id = p_user_id limit 1000)
    for no key update skip locked
  );
  with emptied as (
    update app.messages as m
    set author_id = null, asset_id = null, alt_text = null
    where m.id in (
      select own.id
      from app.messages as own
      where own.author_id = p_user_id and own.discussion_id = any (v_discussion_ids)
      limit 1000
      for no key update skip locked
    )
    returning m.discussion_id, m.body
  )
  update app.discussions as d
  set message_count = d.message_count - gone.count
  -- A picture without text no longer counts.
  from (select e.discussion_id, count(*) from emptied as e where e.body is null group by 1) as gone
  where d.id = gone.discussion_id;
  delete from app.follows
  -- One statement, because its trigger locks counts in the order of users.
  where ctid = any (
    array(select f.ctid from app.follows as f where f.follower_id = p_user_id limit 1000 for update skip locked)
    || array(select f.ctid from app.follows as f where f.followee_id = p_user_id limit 1000 for update skip locked)
  );
  delete from app.blocks
  where ctid in (select b.ctid from app.blocks as b where b.blocker_id = p_user_id limit 1000 for update skip locked);
  delete from app.blocks
  where ctid in (select b.ctid from app.blocks as b where b.blocked_id = p_user_id limit 1000 for update skip locked);
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
  -- Posts come before what is about them in the lock order.
  delete from app.feed_shares
  where ctid in (
    select s.ctid
    from app.feed_shares as s
    join app.posts as p on p.id = s.post_id
    where s.user_id = p_user_id
    order by p.id
    limit 1000
    for no key update of p skip locked
    for update of s skip locked
  );
  update app.placements
  set placed_by = null
  where ctid in (
    select p.ctid from app.placements as p where p.placed_by = p_user_id limit 1000 for no key update skip locked
  );
  update app.feed_events
  set actor_id = null
  where ctid in (
    select e.ctid
    from app.feed_events as e
    where e.actor_id = p_user_id and e.kind = 'shared_to_hub'
    limit 1000
    for no key update skip locked
  );
  update app.feed_events
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  where ctid in (
    select e.ctid
    from app.feed_events as e
    where e.actor_id = p_user_id and e.kind <> 'shared_to_hub' and e.ended_at is null
    limit 1000
    for no key update skip locked
  );
  if exists (select from app.follows where follower_id = p_user_id)
    or exists (select from app.follows where followee_id = p_user_id)
    or exists (select from app.blocks where blocker_id = p_user_id)
    or exists (select from app.blocks where blocked_id = p_user_id)
    or exists (select from app.notifications where recipient_id = p_user_id)
    or exists (select from app.events where actor_id = p_user_id)
    or exists (select from app.events where subject_id = p_user_id)
    or exists (select from app.feed_shares where user_id = p_user_id)
    or exists (select from app.placements where placed_by = p_user_id)
    or exists (select from app.feed_events where actor_id = p_user_id and (kind = 'shared_to_hub' or ended_at is null))
    or exists (select from app.messages where author_id = p_user_id) then
    return true;
  end if;
  delete from app.follow_counts where user_id = p_user_id;
  perform app.lock_inbox_counts();
  delete from app.inbox_counts where user_id = p_user_id;
  if app.forget_scope(p_user_id) then
    return true;
  end if;
  perform app.forget_assets(array(select a.id from app.assets as a where a.owner_id = p_user_id));
  update app.stored_objects as o
  set expires_at = app.now()
  -- The others are evidence of open reports.
  where o.owner_id = p_user_id and o.expires_at is null and not exists (select from app.assets as a where a.id = o.id);
  return false;
end
$$;
comment on function app.remove_belongings is 'Removes a batch of the data of an ended account and returns whether more is left. Its stored objects are queued for the worker.';

create function app.claim_account_deletion() returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid;
begin
  -- An account that was merged into an ended account is deleted like it.
  update app.account_deletions as d
  set merged_into_id = null
  from app.users as u
  where u.id = d.merged_into_id and u.ended_at is not null;
  update app.account_deletions as d
  set due_at = app.now() + app.backoff(d.attempt_count),
    attempt_count = d.attempt_count + 1
  where d.user_id = (
    select due.user_id
    from app.account_deletions as due
    where due.due_at <= app.now()
    order by due.due_at
    limit 1
    for update skip locked
  )
  returning d.user_id into v_user_id;
  return v_user_id;
end
$$;
comment on function app.claim_account_deletion is 'Claims a due account deletion for the worker and returns the user, null if none is due. No other worker gets it before app.backoff has passed.';
grant execute on function app.claim_account_deletion to opine_worker;

create function app.finish_account_deletion(p_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_deletion app.account_deletions;
  -- Longer than any request that began before the account ended and may still add data.
  v_settling interval := interval '1 minute';
  v_is_more boolean;
begin
  select * into v_deletion from app.account_deletions as d where d.user_id = p_user_id for update;
  if v_deletion.user_id is null then
    return;
  end if;
  v_is_more := app.leave_next_hub(p_user_id);
  if not v_is_more then
    if v_deletion.merged_into_id is not null then
      perform from app.users as u where u.id in (p_user_id, v_deletion.merged_into_id) order by u.id for update;
      perform app.move_belongings(p_user_id, v_deletion.merged_into_id);
    end if;
    perform app.erase_person(p_user_id);
    v_is_more := app.remove_belongings(p_user_id);
  end if;
  if v_is_more then
    update app.account_deletions set due_at = app.now(), attempt_count = 0 where user_id = p_user_id;
  elsif v_deletion.deleted_at + v_settling > app.now() then
    update app.account_deletions set due_at = deleted_at + v_settling, attempt_count = 0 where user_id = p_user_id;
  else
    -- No upload of this account can be completed any more.
    update app.stored_objects set expires_at = app.now()
    where owner_id = p_user_id and attempt_count = 0 and expires_at > app.now();
    delete from app.account_deletions as d
    where d.user_id = p_user_id and not exists (
      select from app.stored_objects as o
      -- Files of an open report outlive the account.
      where o.owner_id = d.user_id and not exists (select from app.evidence_assets as e where e.asset_id = o.id)
    );
  end if;
end
$$;
comment on function app.finish_account_deletion is 'Removes one batch of the data of an ended account, or moves it after a merge. The queue row stays until nothing is left, with one more run a minute after the account ended. app.forget_objects makes it due once its stored objects are gone.';
grant execute on function app.finish_account_deletion to opine_worker;
