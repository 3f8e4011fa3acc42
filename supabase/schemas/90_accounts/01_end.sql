-- Ends the caller's account. Sessions, device tokens, phone, contacts, name and handle are deleted at once,
-- posts are hidden at once, and the worker removes the rest.
--
-- Returns {}.
create function api.delete_account(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_level(1);
  perform app.end_user(app.user_id());
  return '{}'::jsonb;
end
$$;
comment on function api.delete_account is 'DELETE /users/me (docs/product.md I17-I19).';
grant execute on function api.delete_account to authenticated;

create function app.begin_account_deletion() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.merged_into_id is not null then
    perform app.move_belongings(new.user_id, new.merged_into_id);
  end if;
  perform app.erase_person(new.user_id);
  return new;
end
$$;
comment on function app.begin_account_deletion is
  'Trigger: moves or erases at once what must not wait for the worker (docs/product.md I16, I17).';

create trigger account_deletions_begin_before_insert before insert on app.account_deletions
for each row execute function app.begin_account_deletion();

-- Everything else waits for the worker (app.erase_belongings). A concurrent sign-in holds the row of the
-- account until its session is visible.
create function app.erase_person(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.users where id = p_user_id for update;
  perform app.lock_kept_posts(p_user_id);
  perform app.erase_moderation(p_user_id);
  perform app.erase_preferences(p_user_id);
  perform app.erase_discussions(p_user_id);
  perform app.erase_feeds(p_user_id);
  perform app.erase_held_votes(p_user_id);
  perform app.erase_saved_posts(p_user_id);
  perform app.erase_hubs(p_user_id);
  perform app.erase_hub_profile(p_user_id);
  perform app.erase_uploads(p_user_id);
  perform app.erase_identity(p_user_id);
end
$$;
comment on function app.erase_person is
  'Ends an account and erases at once who it was and what is its own alone (docs/product.md I17).';

-- Posts and comments have transactions of their own, because each locks posts in the order of their ids. The
-- rest of a batch skips what others have locked. Inbox and media go last: what is erased before counts and
-- uses them.
--
-- Returns whether more may be left.
create function app.erase_belongings(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  if app.erase_posts(p_user_id) then
    return true;
  end if;
  if app.erase_comments(p_user_id) then
    return true;
  end if;
  perform app.erase_hub_photos(p_user_id);
  if true = any (array[
    app.erase_messages(p_user_id), app.erase_people(p_user_id), app.erase_notifications(p_user_id),
    app.erase_feed_events(p_user_id)
  ]) then
    return true;
  end if;
  if app.erase_inbox(p_user_id) then
    return true;
  end if;
  perform app.erase_media(p_user_id);
  return false;
end
$$;
comment on function app.erase_belongings is 'Erases a batch of what an ended account left (docs/product.md I17-I19).';

-- No other worker gets it before app.backoff has passed.
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
comment on function app.claim_account_deletion is
  'Claims a due account deletion for the worker and returns the user, null if none is due.';
grant execute on function app.claim_account_deletion to opine_worker;

-- The queue row stays until nothing is left, with one more run a minute after the account ended.
-- app.delete_objects makes it due once its stored objects are gone.
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
    v_is_more := app.erase_belongings(p_user_id);
  end if;
  if v_is_more then
    update app.account_deletions set due_at = app.now(), attempt_count = 0 where user_id = p_user_id;
  elsif v_deletion.deleted_at + v_settling > app.now() then
    update app.account_deletions set due_at = deleted_at + v_settling, attempt_count = 0 where user_id = p_user_id;
  else
    perform app.expire_objects(p_user_id);
    if not app.has_objects_besides_evidence(p_user_id) then
      delete from app.account_deletions where user_id = p_user_id;
    end if;
  end if;
end
$$;
comment on function app.finish_account_deletion is
  'Removes one batch of the data of an ended account, or moves it after a merge.';
grant execute on function app.finish_account_deletion to opine_worker;
