-- Invites phone numbers to a Hub. Numbers that are not in E.164 form count nowhere: the service passes null
-- for each that it cannot normalize.
--
-- Args: hubId, invitations (phoneNumber, tokenHash as hex of SHA-256, sealedToken). Returns hubName,
-- inviterName and, in the order of invitations, items with id, state, expiresAt and sealedToken, of which the
-- service makes the URL; state is invalid and the others null for a number that was not invited.
create function api.create_invitations(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_invitations jsonb;
  v_ids uuid[];
begin
  perform app.require_level(4);
  v_invitations := app.items_argument(p_args, 'invitations', 1, 50);
  if not exists (
    select from jsonb_array_elements(v_invitations) as given (item) where app.is_e164(given.item ->> 'phoneNumber')
  ) then
    perform app.refuse_argument(
      '{phoneNumbers}', 'invalid_phone', 'No phone number is among these. One begins with + and the country.'
    );
  end if;
  select array_agg((invited.made).id order by given.place) into v_ids
  from jsonb_array_elements(v_invitations) with ordinality as given (item, place)
  left join lateral (
    select app.put_invitation(v_hub_id, given.item ->> 'phoneNumber', decode(given.item ->> 'tokenHash', 'hex')) as made
    where app.is_e164(given.item ->> 'phoneNumber')
  ) as invited on true;
  return app.new_invitations_json(
    v_hub_id, v_ids,
    array(
      select given.item ->> 'sealedToken'
      from jsonb_array_elements(v_invitations) with ordinality as given (item, place)
      order by given.place
    )
  );
end
$$;
comment on function api.create_invitations is 'POST /hubs/{hubId}/invitations (docs/product.md H11, H12).';
grant execute on function api.create_invitations to authenticated;

-- Returns new invitations of the caller with their tokens, for api.create_invitations and its replay.
--
-- Args: p_ids and p_sealed_tokens (of each number in its place; the id is null for a number that was not
-- invited). The token of an invitation that is not pending leads nowhere, so it is null. Returns null if the
-- caller cannot see the invitations.
create function app.new_invitations_json(p_hub_id uuid, p_ids uuid[], p_sealed_tokens text[]) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_items jsonb := (
    select jsonb_agg(
      jsonb_build_object(
        'id', i.id,
        'state', case when given.id is null then 'invalid' else app.state_of(i.state, i.expires_at)::text end,
        'expiresAt', app.iso(i.expires_at),
        'sealedToken', case when app.state_of(i.state, i.expires_at) = 'pending' then given.sealed_token end
      )
      order by given.place
    )
    from unnest(p_ids, p_sealed_tokens) with ordinality as given (id, sealed_token, place)
    left join app.hub_invitations as i on i.id = given.id
    having count(i.id) = count(given.id)
  );
begin
  return case when v_items is not null then jsonb_build_object(
    'hubName', (select h.name from app.hubs as h where h.id = p_hub_id),
    'inviterName', (select p.full_name from app.profiles as p where p.user_id = app.user_id()),
    'items', v_items
  ) end;
end
$$;
comment on function app.new_invitations_json is 'Returns invitations made by the caller (docs/product.md H11, H12).';
grant execute on function app.new_invitations_json to authenticated;

-- Errors: those of app.require_member; RATE_LIMITED beyond 300 numbers a day by one member or 1,000 to one
-- Hub.
create function app.put_invitation(p_hub_id uuid, p_phone text, p_token_hash bytea) returns app.hub_invitations
language plpgsql security definer set search_path = '' as $$
declare
  v_role app.hub_role;
  v_is_open boolean;
  v_invitation app.hub_invitations;
begin
  perform app.lock_hub(p_hub_id);
  v_role := app.require_member(p_hub_id);
  perform app.require_rate_limit('invitations of a user', app.user_id()::text, 300, interval '1 day');
  perform app.require_rate_limit('invitations to a hub', p_hub_id::text, 1000, interval '1 day');
  update app.hub_invitations as i
  set state = 'expired'
  where i.hub_id = p_hub_id and i.inviter_id = app.user_id() and i.phone = p_phone
    and i.state = 'pending' and app.state_of(i.state, i.expires_at) = 'expired';
  v_is_open := exists (
    select from app.hub_invitations as i
    where i.hub_id = p_hub_id and i.inviter_id = app.user_id() and i.phone = p_phone and i.state = 'pending'
  );
  insert into app.hub_invitations as i (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
  values (p_hub_id, app.user_id(), p_phone, p_token_hash, v_role = 'admin', app.now() + interval '7 days')
  on conflict (hub_id, inviter_id, phone) where state = 'pending' do update
    set token_hash = excluded.token_hash, makes_member = excluded.makes_member, expires_at = excluded.expires_at
  returning i.* into v_invitation;
  if not v_is_open then
    perform app.emit(
      'hub_invite_received', p_actor_id => app.user_id(), p_hub_id => p_hub_id, p_invitation_id => v_invitation.id
    );
  end if;
  return v_invitation;
end
$$;
comment on function app.put_invitation is
  'Inserts the caller''s invitation of a phone number to a Hub, or renews the open one, whether or not the number has '
  'an account.';
grant execute on function app.put_invitation to authenticated;

-- Lists the invitations to a Hub: all to managers and admins, their own to members.
--
-- Args: hubId, cursor, limit. Returns items, newest first, and nextCursor.
create function api.list_invitations(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_role app.hub_role := app.require_member(v_hub_id);
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_invitations', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  v_page := array(
    select (i.created_at, i.id)::app.list_entry
    from app.hub_invitations as i
    where i.hub_id = v_hub_id and (v_role > 'member' or i.inviter_id = app.user_id())
      and (i.created_at, i.id) < (v_from.at, v_from.id)
    order by i.created_at desc, i.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.invitations_json(v_hub_id, v_page[:v_limit]), 'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_invitations is 'GET /hubs/{hubId}/invitations (docs/product.md H8, H13).';
grant execute on function api.list_invitations to authenticated;

-- URL and share text are null, because tokens are not stored. An inviter hidden from everybody is anonymous.
create function app.invitations_json(p_hub_id uuid, p_entries app.list_entry[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', i.id,
      'phoneNumber', i.phone,
      'state', app.state_of(i.state, i.expires_at),
      'inviteUrl', null,
      'shareText', null,
      'expiresAt', app.iso(i.expires_at),
      'invitedBy', jsonb_build_object(
        'userId', coalesce(inviter.user_id::text, ''), 'displayName', coalesce(inviter.display_name, '')
      )
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.hub_invitations as i on i.id = entry.id
    left join lateral app.hub_people(p_hub_id, array[i.inviter_id]) as inviter on true
  );
end
$$;
comment on function app.invitations_json is
  'Returns these invitations to a Hub of the caller, in this order (docs/product.md H11, H13).';
grant execute on function app.invitations_json to authenticated;

-- Reads an invitation by its token.
--
-- Args: tokenHash (hex of SHA-256). Returns id, state, expiresAt, the preview of the Hub and the public name
-- of the inviter.
create function api.get_invitation(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_invitation record := app.invitation_of(decode(p_args ->> 'tokenHash', 'hex'));
begin
  return jsonb_build_object(
    'id', v_invitation.id,
    'state', v_invitation.state,
    'expiresAt', app.iso(v_invitation.expires_at),
    'hub', app.hub_preview_json(v_invitation.hub_id),
    'invitedBy', jsonb_build_object('displayName', coalesce(v_invitation.inviter_name, ''))
  );
end
$$;
comment on function api.get_invitation is 'GET /hub-invitations/by-token/{token} (docs/product.md H14).';
grant execute on function api.get_invitation to anon, authenticated;

-- It ignores blocks, because a guest with the token sees the same.
--
-- Errors: INVITATION_NOT_FOUND.
create function app.invitation_of(
  p_token_hash bytea, out id uuid, out hub_id uuid, out state app.invitation_state, out expires_at timestamptz,
  out inviter_name text
) returns record
language plpgsql stable security definer set search_path = '' as $$
begin
  select i.id, i.hub_id, app.state_of(i.state, i.expires_at), i.expires_at, p.full_name
  into invitation_of.id, invitation_of.hub_id, invitation_of.state, invitation_of.expires_at, invitation_of.inviter_name
  from app.hub_invitations as i
  join app.hubs as h on h.id = i.hub_id and h.is_open
  left join app.profiles as p
    on p.user_id = i.inviter_id and not exists (select from app.users_hidden_from_all as h where h.user_id = p.user_id)
  where i.token_hash = p_token_hash;
  if invitation_of.id is null then
    raise exception using errcode = 'PT404', message = 'INVITATION_NOT_FOUND';
  end if;
end
$$;
comment on function app.invitation_of is
  'Returns the invitation of a token and the public name of its inviter, null if the inviter is hidden from everybody.';
grant execute on function app.invitation_of to anon, authenticated;

-- Errors: INVITATION_NOT_FOUND (also for an invitation of another phone), INVITATION_NOT_PENDING.
create function app.lock_own_invitation(p_id uuid) returns app.hub_invitations
language plpgsql set search_path = '' as $$
declare
  v_invitation app.hub_invitations;
begin
  perform app.lock_hub((select i.hub_id from app.hub_invitations as i where i.id = p_id));
  select i.* into v_invitation
  from app.hub_invitations as i
  join app.my_invitations as mine on mine.invitation_id = i.id
  join app.users as own on own.id = app.user_id() and own.phone = i.phone
  join app.hubs as h on h.id = i.hub_id and h.is_open
  where i.id = p_id
  -- Serialises with account deletion, which locks the user's row and removes the phone.
  for update of i for key share of own;
  if v_invitation.id is null then
    raise exception using errcode = 'PT404', message = 'INVITATION_NOT_FOUND';
  end if;
  if app.state_of(v_invitation.state, v_invitation.expires_at) <> 'pending' then
    raise exception using errcode = 'PT409', message = 'INVITATION_NOT_PENDING';
  end if;
  return v_invitation;
end
$$;
comment on function app.lock_own_invitation is
  'Locks the Hub of an open invitation to the caller''s verified phone, then the invitation, and returns it.';

-- Accepts an invitation to the caller's phone.
--
-- Args: invitationId. Returns hubId, viewerStatus and joinRequestId.
create function api.accept_invitation(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := app.accept_invitation((p_args ->> 'invitationId')::uuid);
begin
  return app.acceptance_json(v_hub_id);
end
$$;
comment on function api.accept_invitation is 'POST /hub-invitations/{invitationId}/accept (docs/product.md H10, H13).';
grant execute on function api.accept_invitation to authenticated;

create function app.acceptance_json(p_hub_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_mine app.membership_status := app.viewer_status(p_hub_id);
begin
  return jsonb_build_object(
    'hubId', p_hub_id, 'viewerStatus', v_mine.status, 'joinRequestId', v_mine.join_request_id
  );
end
$$;
comment on function app.acceptance_json is
  'Returns what came of an accepted invitation: the status of the caller in the Hub (docs/product.md H10, H13).';
grant execute on function app.acceptance_json to authenticated;

-- Accepts an invitation for the caller.
--
-- The invitation of an admin makes an active member, any other a join request. Returns the Hub. Errors:
-- FORBIDDEN below level 4; INVITATION_NOT_FOUND, INVITATION_NOT_PENDING, ALREADY_MEMBER,
-- JOIN_REQUEST_PENDING.
create function app.accept_invitation(p_id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_invitation app.hub_invitations;
begin
  perform app.require_level(4);
  v_invitation := app.lock_own_invitation(p_id);
  perform app.require_no_member(v_invitation.hub_id);
  -- The inviter must still be an admin who can act.
  if v_invitation.makes_member and exists (
    select from app.acting_admins as a where a.hub_id = v_invitation.hub_id and a.user_id = v_invitation.inviter_id
  ) then
    perform app.become_member(v_invitation.hub_id, app.user_id());
  else
    perform app.insert_join_request(v_invitation.hub_id, 'member_invitation');
    update app.hub_invitations as i set state = 'accepted' where i.id = p_id;
  end if;
  return v_invitation.hub_id;
end
$$;
comment on function app.accept_invitation is 'Accepts an invitation for the caller (docs/product.md H10, H13).';
grant execute on function app.accept_invitation to authenticated;

-- Declines an invitation to the caller's phone.
--
-- Args: invitationId. Returns id and state.
create function api.decline_invitation(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_invitation app.hub_invitations;
begin
  perform app.require_level(1);
  v_invitation := app.lock_own_invitation((p_args ->> 'invitationId')::uuid);
  update app.hub_invitations as i set state = 'declined' where i.id = v_invitation.id;
  return jsonb_build_object('id', v_invitation.id, 'state', 'declined');
end
$$;
comment on function api.decline_invitation is 'POST /hub-invitations/{invitationId}/decline (docs/product.md H13).';
grant execute on function api.decline_invitation to authenticated;

-- Open invitations stay with the phone: the end of one would reveal that the number had an account. The next
-- owner of the phone must not see the others.
create function app.delete_former_invitations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from app.hub_invitations as i where i.phone = old.phone and i.state <> 'pending';
  return null;
end
$$;
comment on function app.delete_former_invitations is
  'Trigger: deletes the answered and ended invitations to a phone that its owner gives up (docs/product.md I18, I22).';

create trigger users_delete_invitations_after_update after update of phone on app.users
for each row when (old.phone is not null and old.phone is distinct from new.phone)
execute function app.delete_former_invitations();
