-- Creates an invite link.
--
-- Args: hubId, expiresInDays, maxUses, tokenHash (hex of SHA-256), sealedToken. Returns the link with
-- sealedToken, which the service opens.
create function api.create_invite_link(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_id uuid := app.insert_invite_link(
    (p_args ->> 'hubId')::uuid, decode(p_args ->> 'tokenHash', 'hex'),
    app.integer_argument(p_args, 'maxUses', 1, 1000),
    make_interval(days => coalesce(app.integer_argument(p_args, 'expiresInDays', 1, 30), 7))
  );
begin
  return app.new_invite_link_json(v_id, p_args ->> 'sealedToken');
end
$$;
comment on function api.create_invite_link is 'POST /hubs/{hubId}/invite-links (docs/product.md H19).';
grant execute on function api.create_invite_link to authenticated;

create function app.new_invite_link_json(p_id uuid, p_sealed_token text) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return app.invite_links_json(array[(null, p_id)::app.list_entry]) -> 0
    || jsonb_build_object('sealedToken', p_sealed_token);
end
$$;
comment on function app.new_invite_link_json is
  'Returns an invite link with its token (docs/product.md H19); null for one that the caller may not see.';
grant execute on function app.new_invite_link_json to authenticated;

-- Errors: those of app.require_member; RATE_LIMITED beyond 100 a day for one Hub.
create function app.insert_invite_link(p_hub_id uuid, p_token_hash bytea, p_max_uses integer, p_expires_in interval)
returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_id uuid;
begin
  perform app.lock_member(p_hub_id, 'manager');
  perform app.require_rate_limit('invite links', p_hub_id::text, 100, interval '1 day');
  insert into app.invite_links (hub_id, creator_id, token_hash, max_uses, expires_at)
  values (p_hub_id, app.user_id(), p_token_hash, p_max_uses, app.now() + p_expires_in)
  returning id into v_id;
  return v_id;
end
$$;
comment on function app.insert_invite_link is
  'Inserts an invite link of a Hub for one of its managers or admins, and returns its id.';
grant execute on function app.insert_invite_link to authenticated;

-- Reads an invite link by its token.
--
-- Args: tokenHash (hex of SHA-256). Returns the preview of the Hub, expiresAt and viewerStatus.
create function api.get_invite_link(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_link record := app.link_of(decode(p_args ->> 'tokenHash', 'hex'));
  v_hub jsonb := app.hub_preview_json(v_link.hub_id);
begin
  return jsonb_build_object(
    'hub', v_hub, 'expiresAt', app.iso(v_link.expires_at), 'viewerStatus', v_hub -> 'viewerStatus'
  );
end
$$;
comment on function api.get_invite_link is 'GET /hub-invite-links/{token} (docs/product.md H20).';
grant execute on function api.get_invite_link to anon, authenticated;

-- Lists the invite links that have not expired.
--
-- Args: hubId, cursor, limit. Returns items, newest first, and nextCursor.
create function api.list_invite_links(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_invite_links', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_member(v_hub_id, 'manager');
  v_page := array(
    select (l.created_at, l.id)::app.list_entry
    from app.invite_links as l
    where l.hub_id = v_hub_id and l.expires_at > app.now() and (l.created_at, l.id) < (v_from.at, v_from.id)
    order by l.created_at desc, l.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.invite_links_json(v_page[:v_limit]),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_invite_links is 'GET /hubs/{hubId}/invite-links (docs/product.md H8, H19).';
grant execute on function api.list_invite_links to authenticated;

-- Token and URL are null, because tokens are not stored.
create function app.invite_links_json(p_entries app.list_entry[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', l.id,
      'token', null,
      'url', null,
      'expiresAt', app.iso(l.expires_at),
      'maxUses', l.max_uses,
      'useCount', l.use_count,
      'createdAt', app.iso(l.created_at)
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.invite_links as l on l.id = entry.id
  );
end
$$;
comment on function app.invite_links_json is 'Returns these invite links, in this order (docs/product.md H19).';
grant execute on function app.invite_links_json to authenticated;

-- Errors: INVITE_LINK_NOT_FOUND (also for a revoked, expired or used-up link).
create function app.link_of(p_token_hash bytea, out id uuid, out hub_id uuid, out expires_at timestamptz) returns record
language plpgsql stable security definer set search_path = '' as $$
begin
  select l.id, l.hub_id, l.expires_at into link_of.id, link_of.hub_id, link_of.expires_at
  from app.invite_links as l
  join app.hubs as h on h.id = l.hub_id and h.is_open
  where l.token_hash = p_token_hash and l.expires_at > app.now()
    and l.use_count < coalesce(l.max_uses, l.use_count + 1);
  if link_of.id is null then
    raise exception using errcode = 'PT404', message = 'INVITE_LINK_NOT_FOUND';
  end if;
end
$$;
comment on function app.link_of is 'Returns the invite link of a token to its holder.';
grant execute on function app.link_of to anon, authenticated;

-- Revokes an invite link.
--
-- Args: hubId, inviteLinkId. Returns {}.
create function api.revoke_invite_link(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.require_member(v_hub_id, 'manager', 'INVITE_LINK_NOT_FOUND');
  delete from app.invite_links as l where l.id = (p_args ->> 'inviteLinkId')::uuid and l.hub_id = v_hub_id;
  if not found then
    raise exception using errcode = 'PT404', message = 'INVITE_LINK_NOT_FOUND';
  end if;
  return '{}'::jsonb;
end
$$;
comment on function api.revoke_invite_link is 'DELETE /hubs/{hubId}/invite-links/{inviteLinkId} (docs/product.md H20).';
grant execute on function api.revoke_invite_link to authenticated;

-- A read through the gateway only names the Hub: it must run on replicas, and the service has it recorded
-- afterwards (gateway.record_presence).
create function app.record_presence(p_hub_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('opine.is_read', true) = 'true' then
    perform set_config('opine.visited_hub', p_hub_id::text, true);
  else
    perform app.mark_seen(p_hub_id, app.user_id());
  end if;
end
$$;
comment on function app.record_presence is 'Sets seen_at of the caller''s membership, at most every five minutes.';
grant execute on function app.record_presence to authenticated;

create function app.mark_seen(p_hub_id uuid, p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  update app.memberships as m
  set seen_at = app.now()
  where m.hub_id = p_hub_id and m.user_id = p_user_id and app.is_presence_due(m.seen_at);
end;
comment on function app.mark_seen is 'Sets seen_at of a membership if that is due (app.is_presence_due).';

-- Requests to join the Hub of an invite link.
--
-- Args: tokenHash (hex of SHA-256). Returns id, hubId and state.
create function api.request_to_join(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_token_hash bytea := decode(p_args ->> 'tokenHash', 'hex');
  v_hub_id uuid;
  v_request_id uuid;
begin
  perform app.require_level(4);
  v_hub_id := (app.link_of(v_token_hash)).hub_id;
  perform app.lock_hub(v_hub_id);
  perform app.require_no_member(v_hub_id);
  -- Check the link again: it may have been used up or revoked during the wait for the lock.
  v_request_id := app.insert_join_request(v_hub_id, 'invite_link', (app.link_of(v_token_hash)).id);
  perform app.use_limit('joinRequests');
  return app.join_request_json(v_request_id);
end
$$;
comment on function api.request_to_join is 'POST /hub-invite-links/{token}/join-requests (docs/product.md H10, H21).';
grant execute on function api.request_to_join to authenticated;

create function app.join_request_json(p_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('id', r.id, 'hubId', r.hub_id, 'state', r.state)
    from app.join_requests as r
    join app.hubs as h on h.id = r.hub_id and h.is_open
    where r.id = p_id and r.state <> 'withdrawn'
  );
end
$$;
comment on function app.join_request_json is
  'Returns a join request with its state (docs/product.md H22); null for one that the caller may not see.';
grant execute on function app.join_request_json to authenticated;

-- Inserts a join request of the caller and notifies the admins and managers of the Hub. Returns its id.
--
-- Args: p_link_id (the invite link that it uses; null for an invitation, whose acceptance is no asking). The
-- transaction must hold app.lock_hub. Errors: JOIN_REQUEST_PENDING (by join_requests_pending_key),
-- RATE_LIMITED.
create function app.insert_join_request(p_hub_id uuid, p_source app.join_request_source, p_link_id uuid default null)
returns uuid
language plpgsql set search_path = '' as $$
declare
  v_user_id uuid := app.user_id();
  v_is_repeat boolean := p_link_id is not null and exists (
    select
    from app.join_requests as r
    where r.hub_id = p_hub_id and r.user_id = v_user_id and r.state in ('rejected', 'withdrawn')
      and r.ended_at > app.now() - interval '7 days'
  );
  v_opens_at timestamptz := case when v_is_repeat then app.repeats_open_at(p_hub_id, v_user_id) end;
  v_id uuid;
begin
  insert into app.join_requests (hub_id, user_id, source, link_id, is_repeat)
  values (p_hub_id, v_user_id, p_source, p_link_id, v_is_repeat)
  returning id into v_id;
  -- After the insert, which refuses a caller whose request is open.
  perform app.refuse_until(v_opens_at);
  update app.invite_links as l set use_count = l.use_count + 1 where l.id = p_link_id;
  perform app.emit(
    'hub_join_request_created', p_actor_id => v_user_id, p_subject_id => v_user_id, p_hub_id => p_hub_id,
    p_join_request_id => v_id
  );
  return v_id;
end
$$;
comment on function app.insert_join_request is 'Inserts a join request of the caller (docs/product.md H10, H21, H30).';

-- Twice in 7 days are free (docs/product.md H30).
create function app.repeats_open_at(p_hub_id uuid, p_user_id uuid) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return (
    select r.created_at + interval '7 days'
    from app.join_requests as r
    where r.hub_id = p_hub_id and r.user_id = p_user_id and r.is_repeat and r.created_at > app.now() - interval '7 days'
    order by r.created_at desc
    offset 1
    limit 1
  );
end
$$;
comment on function app.repeats_open_at is 'Returns when a person may ask a Hub again; null for now.';

-- Ends a join request without a membership: it gives its use of the invite link back.
create function app.end_join_request(p_id uuid, p_state app.join_request_state) returns void
language plpgsql set search_path = '' as $$
begin
  update app.invite_links as l
  set use_count = l.use_count - 1
  where l.id = (select r.link_id from app.join_requests as r where r.id = p_id);
  update app.join_requests as r set state = p_state, link_id = null, ended_at = app.now() where r.id = p_id;
end
$$;
comment on function app.end_join_request is 'Ends a join request by its rejection or withdrawal (docs/product.md H30).';

-- Lists the open join requests of a Hub.
--
-- Args: hubId, cursor, limit. Returns items, newest first, and nextCursor.
create function api.list_join_requests(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_join_requests', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_member(v_hub_id, 'manager');
  v_page := array(
    select (r.created_at, r.id)::app.list_entry
    from app.join_requests as r
    where r.hub_id = v_hub_id and r.state = 'pending_admin_approval' and (r.created_at, r.id) < (v_from.at, v_from.id)
    order by r.created_at desc, r.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.join_requests_json(v_page[:v_limit]), 'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_join_requests is 'GET /hubs/{hubId}/join-requests (docs/product.md H8, H22).';
grant execute on function api.list_join_requests to authenticated;

-- An applicant appears by the public profile, because only people in a common Hub see the private one. It
-- ignores blocks, which do not apply inside Hubs. An applicant hidden from everybody is anonymous.
create function app.join_requests_json(p_entries app.list_entry[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id,
      'user', jsonb_build_object(
        'userId', coalesce(p.user_id::text, ''),
        'displayName', coalesce(p.full_name, ''),
        'profilePhotoUrl', app.photo_url(p.photo_asset_id),
        'username', coalesce(p.username, '')
      ),
      'state', r.state,
      'source', r.source,
      'createdAt', app.iso(r.created_at)
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.join_requests as r on r.id = entry.id
    join app.my_hubs as mine on mine.hub_id = r.hub_id and mine.role >= 'manager'
    left join app.profiles as p
      on p.user_id = r.user_id and not exists (select from app.users_hidden_from_all as h where h.user_id = p.user_id)
  );
end
$$;
comment on function app.join_requests_json is
  'Returns these join requests, in this order, as far as the caller is a manager or admin of their Hubs '
  '(docs/product.md H22).';
grant execute on function app.join_requests_json to authenticated;

-- Approves a join request.
--
-- Args: hubId, requestId. Returns id and state.
create function api.approve_join_request(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.decide_join_request((p_args ->> 'hubId')::uuid, (p_args ->> 'requestId')::uuid, 'approved');
  return app.join_request_json((p_args ->> 'requestId')::uuid) - 'hubId';
end
$$;
comment on function api.approve_join_request is
  'POST /hubs/{hubId}/join-requests/{requestId}/approve (docs/product.md H10, H22).';
grant execute on function api.approve_join_request to authenticated;

-- Rejects a join request.
--
-- Args: hubId, requestId. Returns id and state.
create function api.reject_join_request(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.decide_join_request((p_args ->> 'hubId')::uuid, (p_args ->> 'requestId')::uuid, 'rejected');
  return jsonb_build_object('id', (p_args ->> 'requestId')::uuid, 'state', 'rejected');
end
$$;
comment on function api.reject_join_request is
  'POST /hubs/{hubId}/join-requests/{requestId}/reject (docs/product.md H10, H22).';
grant execute on function api.reject_join_request to authenticated;

-- Errors: those of app.require_member; JOIN_REQUEST_NOT_FOUND (also for a non-member),
-- JOIN_REQUEST_NOT_PENDING.
create function app.decide_join_request(p_hub_id uuid, p_id uuid, p_verdict app.join_request_state) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_request app.join_requests;
begin
  perform app.lock_hub(p_hub_id);
  perform app.require_member(p_hub_id, 'admin', 'JOIN_REQUEST_NOT_FOUND');
  -- Account deletion locks the user before the join requests; the same order prevents a deadlock.
  perform from app.users as u
  where u.id = (select r.user_id from app.join_requests as r where r.id = p_id and r.hub_id = p_hub_id)
  for key share;
  select * into v_request from app.join_requests as r where r.id = p_id and r.hub_id = p_hub_id for update;
  if v_request.id is null or v_request.state = 'withdrawn' then
    raise exception using errcode = 'PT404', message = 'JOIN_REQUEST_NOT_FOUND';
  end if;
  if v_request.state <> 'pending_admin_approval' then
    raise exception using errcode = 'PT409', message = 'JOIN_REQUEST_NOT_PENDING';
  end if;
  if p_verdict = 'rejected' then
    perform app.end_join_request(p_id, p_verdict);
  else
    update app.join_requests set state = p_verdict, ended_at = app.now() where id = p_id;
  end if;
  perform app.emit(
    case p_verdict when 'approved' then 'hub_join_request_approved'
      else 'hub_join_request_rejected' end::app.event_type,
    p_actor_id => app.user_id(), p_subject_id => v_request.user_id, p_hub_id => p_hub_id, p_join_request_id => p_id
  );
  if p_verdict = 'approved' then
    perform app.become_member(p_hub_id, v_request.user_id);
  end if;
end
$$;
comment on function app.decide_join_request is
  'Approves or rejects a join request for an admin of the Hub; approval makes an active member.';
grant execute on function app.decide_join_request to authenticated;

-- Withdraws an open join request of the caller, and hides the notifications of it.
--
-- Args: hubId, requestId. Returns {}.
create function api.withdraw_join_request(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_request app.join_requests;
begin
  perform app.require_level(1);
  -- Serialises with a decision, so that one of them wins.
  perform app.lock_hub(v_hub_id);
  perform app.require_hub(v_hub_id);
  select * into v_request
  from app.join_requests as r
  where r.id = (p_args ->> 'requestId')::uuid and r.hub_id = v_hub_id and r.user_id = app.user_id()
  for update;
  if v_request.id is null or v_request.state = 'withdrawn' then
    raise exception using errcode = 'PT404', message = 'JOIN_REQUEST_NOT_FOUND';
  end if;
  if v_request.state <> 'pending_admin_approval' then
    raise exception using errcode = 'PT409', message = 'JOIN_REQUEST_NOT_PENDING';
  end if;
  perform app.end_join_request(v_request.id, 'withdrawn');
  return '{}'::jsonb;
end
$$;
comment on function api.withdraw_join_request is
  'DELETE /hubs/{hubId}/join-requests/{requestId} (docs/product.md H6, H27).';
grant execute on function api.withdraw_join_request to authenticated;
