-- Ends the caller's membership of a Hub; the last member closes it.
--
-- Args: hubId. Returns {}.
create function api.leave_hub(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_hub(v_hub_id);
  perform app.require_member(v_hub_id);
  perform app.require_replaceable(v_hub_id, app.user_id());
  perform app.delete_memberships(v_hub_id, app.user_id());
  return '{}'::jsonb;
end
$$;
comment on function api.leave_hub is 'DELETE /hubs/{hubId}/membership (docs/product.md H16).';
grant execute on function api.leave_hub to authenticated;

-- One for each transaction, which locks the row of one Hub only.
create function app.leave_next_hub(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_hub_id uuid;
begin
  select m.hub_id into v_hub_id from app.memberships as m where m.user_id = p_user_id order by m.hub_id limit 1;
  if not found then
    return false;
  end if;
  perform app.lock_hub(v_hub_id);
  perform app.succeed_admin(v_hub_id, p_user_id);
  perform app.delete_memberships(v_hub_id, p_user_id);
  return true;
end
$$;
comment on function app.leave_next_hub is 'Ends one membership of an ended account and returns whether there was one.';

-- Removes a member from a Hub, and with removePosts what they placed there. Removing oneself is leaving.
--
-- Args: hubId, userId, removePosts (optional). Returns {}.
create function api.remove_member(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_user_id uuid := (p_args ->> 'userId')::uuid;
  v_removes_posts boolean := coalesce(app.argument(p_args, 'removePosts', 'boolean')::boolean, false);
begin
  perform app.lock_hub(v_hub_id);
  perform app.require_member(v_hub_id, 'admin', 'MEMBER_NOT_FOUND');
  if not exists (select from app.memberships as m where m.hub_id = v_hub_id and m.user_id = v_user_id) then
    raise exception using errcode = 'PT404', message = 'MEMBER_NOT_FOUND';
  end if;
  perform app.require_replaceable(v_hub_id, v_user_id);
  update app.memberships as m set removes_posts = true
  where v_removes_posts and m.hub_id = v_hub_id and m.user_id = v_user_id;
  perform app.delete_memberships(v_hub_id, v_user_id);
  if v_user_id <> app.user_id() then
    perform app.emit(
      'hub_member_removed', p_actor_id => app.user_id(), p_subject_id => v_user_id, p_hub_id => v_hub_id
    );
  end if;
  return '{}'::jsonb;
end
$$;
comment on function api.remove_member is
  'POST /hubs/{hubId}/members/{userId}/remove (docs/product.md H10, H16, H18, H31).';
grant execute on function api.remove_member to authenticated;

-- Closes a Hub for everybody and notifies no one.
--
-- Args: hubId. Returns {}.
create function api.close_hub(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_hub(v_hub_id);
  perform app.require_member(v_hub_id, 'admin');
  perform app.delete_memberships(
    v_hub_id, variadic array(select m.user_id from app.memberships as m where m.hub_id = v_hub_id)
  );
  return '{}'::jsonb;
end
$$;
comment on function api.close_hub is 'DELETE /hubs/{hubId} (docs/product.md H29).';
grant execute on function api.close_hub to authenticated;

create function app.prune_hubs() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.hub_invitations as i where i.expires_at <= app.now() - interval '30 days';
  delete from app.invite_links as l where l.expires_at <= app.now();
  delete from app.join_requests as r where r.state = 'withdrawn' and r.ended_at <= app.now() - interval '7 days';
  delete from app.hub_presence as p where p.seen_in <= app.now() - interval '25 hours';
end;
comment on function app.prune_hubs is
  'Upkeep: deletes invitations 30 days after they expire, expired invite links, join requests 7 days after their '
  'withdrawal, and presence older than a day.';
grant execute on function app.prune_hubs to opine_worker;
