-- Creates a Hub with the caller as its admin.
--
-- Args: name, description, profileAssetId, customLink. Returns the Hub.
create function api.create_hub(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := app.insert_hub(
    app.name_argument(p_args, 'name'), app.text_argument(p_args, 'description'),
    app.text_argument(p_args, 'customLink'),
    (p_args ->> 'profileAssetId')::uuid
  );
begin
  perform app.require_member(v_hub_id);
  perform app.use_limit('hubs');
  return app.hub_json(v_hub_id);
end
$$;
comment on function api.create_hub is 'POST /hubs (docs/product.md H9).';
grant execute on function api.create_hub to authenticated;

-- Errors: FORBIDDEN below level 4; CUSTOM_LINK_TAKEN by hubs_custom_link_key; VALIDATION_FAILED for an asset
-- that is no Hub photo of the caller.
create function app.insert_hub(p_name text, p_description text, p_custom_link text, p_photo_asset_id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_hub_id uuid;
begin
  perform app.require_level(4);
  if p_photo_asset_id is not null then
    perform app.require_asset(p_photo_asset_id, '{hub_photo}', '["profileAssetId"]');
  end if;
  insert into app.hubs (name, description, custom_link, photo_asset_id)
  values (p_name, coalesce(p_description, ''), p_custom_link, p_photo_asset_id)
  returning id into v_hub_id;
  insert into app.memberships (hub_id, user_id, role) values (v_hub_id, app.user_id(), 'admin');
  return v_hub_id;
end
$$;
comment on function app.insert_hub is 'Inserts a Hub with the caller as its only member and admin, and returns its id.';
grant execute on function app.insert_hub to authenticated;

-- Reads a Hub.
--
-- Args: hubId. Returns the Hub to a member, its preview to everybody else.
create function api.get_hub(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.require_level(1);
  if exists (select from app.my_hubs as mine where mine.hub_id = v_hub_id) then
    perform app.require_member(v_hub_id);
  end if;
  return app.hub_json(v_hub_id);
end
$$;
comment on function api.get_hub is 'GET /hubs/{hubId} (docs/product.md H3).';
grant execute on function api.get_hub to authenticated;

-- Errors: HUB_NOT_FOUND.
create function app.hub_json(p_hub_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_card jsonb := (select app.hub_card(h, app.viewer_status(h.id)) from app.hubs as h where h.id = p_hub_id);
begin
  if v_card is null then
    raise exception using errcode = 'PT404', message = 'HUB_NOT_FOUND';
  end if;
  return v_card;
end
$$;
comment on function app.hub_json is 'Returns a Hub as the caller sees it (see app.hub_card).';
grant execute on function app.hub_json to authenticated;

create function app.hub_card(p_hub app.hubs, p_membership_status app.membership_status) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return app.hub_preview(p_hub, p_membership_status) || case p_membership_status.status
    when 'member' then jsonb_build_object('customLink', p_hub.custom_link, 'activeUsers24h', app.active_users(p_hub.id))
    else '{}'
  end;
end
$$;
comment on function app.hub_card is 'Returns a Hub to a member, its preview to a non-member (docs/product.md H3).';
grant execute on function app.hub_card to authenticated;

create function app.hub_preview(p_hub app.hubs, p_membership_status app.membership_status) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p_hub.id,
    'name', p_hub.name,
    'description', p_hub.description,
    'profilePhotoUrl', app.photo_url(p_hub.photo_asset_id),
    'memberCount', p_hub.member_count,
    'viewerStatus', p_membership_status.status,
    'viewerRole', p_membership_status.role
  ) || case p_membership_status.status
    when 'pending_admin_approval' then jsonb_build_object('joinRequestId', p_membership_status.join_request_id)
    when 'invited' then jsonb_build_object('invitationId', p_membership_status.invitation_id)
    else '{}'
  end;
end
$$;
comment on function app.hub_preview is
  'Returns the public fields of a Hub (docs/product.md H3), with the caller''s membership status and their open '
  'invitation or join request.';
grant execute on function app.hub_preview to anon, authenticated;

create function app.hub_preview_json(p_hub_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select app.hub_preview(h, app.viewer_status(h.id))
    from app.hubs as h
    where h.id = p_hub_id
  );
end
$$;
comment on function app.hub_preview_json is
  'Returns the preview of a Hub to the holder of an invitation or invite link, guests included.';
grant execute on function app.hub_preview_json to anon, authenticated;

create function app.viewer_status(p_hub_id uuid) returns app.membership_status
language plpgsql stable set search_path = '' as $$
declare
  v_membership_status app.membership_status;
begin
  if app.user_id() is not null then
    -- Fast path: most callers are members.
    select 'member', mine.role
    into v_membership_status.status, v_membership_status.role
    from app.my_hubs as mine
    where mine.hub_id = p_hub_id;
    if not found then
      select (e.status).* into v_membership_status from app.my_hub_entries as e where e.hub_id = p_hub_id;
    end if;
  end if;
  v_membership_status.status := coalesce(v_membership_status.status, 'none');
  return v_membership_status;
end
$$;
comment on function app.viewer_status is
  'Returns the caller''s membership status in a Hub (docs/product.md H4), none if nothing applies.';
grant execute on function app.viewer_status to anon, authenticated;

-- Changes name, description or photo of a Hub.
--
-- Args: hubId and any of name, description, profileAssetId; null clears the last two. Returns the Hub.
create function api.update_hub(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_member(v_hub_id, 'admin');
  perform app.require_any_argument(p_args, 'name', 'description', 'profileAssetId');
  update app.hubs as h
  set name = coalesce(app.name_argument(p_args, 'name'), h.name),
    description = case when p_args ? 'description' then coalesce(
      app.text_argument(p_args, 'description'), ''
    ) else h.description end
  where h.id = v_hub_id;
  if p_args ? 'profileAssetId' then
    perform app.set_hub_photo(v_hub_id, (p_args ->> 'profileAssetId')::uuid);
  end if;
  return app.hub_json(v_hub_id);
end
$$;
comment on function api.update_hub is 'PATCH /hubs/{hubId} (docs/product.md H8).';
grant execute on function api.update_hub to authenticated;

-- A policy cannot check this, because the present photo may belong to another admin.
--
-- Errors: those of app.require_member; VALIDATION_FAILED for an asset that is no Hub photo of the caller.
create function app.set_hub_photo(p_hub_id uuid, p_asset_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_member(p_hub_id, 'admin');
  if p_asset_id is not distinct from (select h.photo_asset_id from app.hubs as h where h.id = p_hub_id) then
    return;
  end if;
  if p_asset_id is not null then
    perform app.require_asset(p_asset_id, '{hub_photo}', '["profileAssetId"]');
  end if;
  update app.hubs as h set photo_asset_id = p_asset_id where h.id = p_hub_id;
end
$$;
comment on function app.set_hub_photo is 'Sets or removes the photo of a Hub for one of its admins.';
grant execute on function app.set_hub_photo to authenticated;

-- Changes the custom link of a Hub.
--
-- Args: hubId, customLink. Returns the Hub.
create function api.change_hub_link(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_member(v_hub_id, 'admin');
  perform app.require_arguments(p_args, 'customLink');
  update app.hubs as h set custom_link = app.text_argument(p_args, 'customLink') where h.id = v_hub_id;
  return app.hub_json(v_hub_id);
end
$$;
comment on function api.change_hub_link is 'PATCH /hubs/{hubId}/link (docs/product.md H8, H9).';
grant execute on function api.change_hub_link to authenticated;

-- Reads the caller's notification settings of a Hub.
--
-- Args: hubId. Returns contentMuted.
create function api.get_hub_settings(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.require_member(v_hub_id);
  return jsonb_build_object('contentMuted', exists (
    select from app.hub_mutes as m where m.hub_id = v_hub_id and m.user_id = app.user_id()
  ));
end
$$;
comment on function api.get_hub_settings is 'GET /hubs/{hubId}/notification-settings (docs/product.md N13).';
grant execute on function api.get_hub_settings to authenticated;

-- Mutes or unmutes a Hub for the caller.
--
-- Args: hubId, contentMuted. Returns contentMuted.
create function api.update_hub_settings(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.lock_member(v_hub_id);
  perform app.require_arguments(p_args, 'contentMuted');
  if app.argument(p_args, 'contentMuted', 'boolean')::boolean then
    insert into app.hub_mutes (hub_id, user_id) values (v_hub_id, app.user_id()) on conflict do nothing;
  else
    delete from app.hub_mutes as m where m.hub_id = v_hub_id and m.user_id = app.user_id();
  end if;
  return jsonb_build_object('contentMuted', p_args -> 'contentMuted');
end
$$;
comment on function api.update_hub_settings is 'PATCH /hubs/{hubId}/notification-settings (docs/product.md N13).';
grant execute on function api.update_hub_settings to authenticated;

-- Lists the Hubs of the caller: invitations, then join requests, both newest first, then memberships by last
-- activity. Below level 4 it lists only the invitations of the caller's verified phone.
--
-- Args: cursor, limit. Returns items (Hubs) and nextCursor.
create function api.list_my_hubs(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_my_hubs', p_args);
  -- The tier, and what follows within it.
  v_after jsonb := coalesce(
    app.open_cursor(v_list, p_args ->> 'cursor'), '[3, "infinity", "ffffffff-ffff-ffff-ffff-ffffffffffff"]'
  );
  -- Below level 4 only invitations are listed.
  v_lowest_tier integer := case when app.require_level(1) < 4 then 3 else 1 end;
begin
  return (
    with page as materialized (
      select e.*, row_number() over (order by e.tier desc, e.at desc, e.hub_id desc) as place
      from app.my_hub_entries as e
      where e.tier >= v_lowest_tier
        and (e.tier, e.at, e.hub_id) < ((v_after ->> 0)::integer, (v_after ->> 1)::timestamptz, (v_after ->> 2)::uuid)
      order by e.tier desc, e.at desc, e.hub_id desc
      limit v_limit + 1
    )
    select jsonb_build_object(
      'items', coalesce(
        jsonb_agg(app.hub_card(h, page.status) order by page.place) filter (where page.place <= v_limit), '[]'
      ),
      'nextCursor', (
        select app.seal_cursor(v_list, jsonb_build_array(last.tier, last.at, last.hub_id))
        from page as last
        where last.place = v_limit and exists (select from page as next where next.place > v_limit)
      )
    )
    from page
    join app.hubs as h on h.id = page.hub_id
  );
end
$$;
comment on function api.list_my_hubs is 'GET /users/me/hubs (docs/product.md H24).';
grant execute on function api.list_my_hubs to authenticated;

-- It bypasses policies, because a policy would collect all Hubs of the caller for each Hub of a list.
create function app.active_users(p_hub_id uuid) returns bigint
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(sum(p.member_count), 0) + app.unseen_visitors(p_hub_id)
    from app.hub_presence as p
    where p.hub_id = p_hub_id and p.seen_in > app.active_since()
      and exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id = app.user_id())
  );
end
$$;
comment on function app.active_users is
  'Returns activeUsers24h (docs/product.md H5): the number of members who used a Hub of the caller in the last 24 '
  'hours, to five minutes; 0 for any other Hub.';
grant execute on function app.active_users to authenticated;

create function app.unseen_visitors(p_hub_id uuid) returns bigint
language plpgsql stable set search_path = '' as $$
begin
  return (
    select count(*)
    from app.memberships as m
    where m.hub_id = p_hub_id and m.user_id = app.user_id()
      and current_setting('opine.visited_hub', true) = p_hub_id::text
      and coalesce(app.presence_slot(m.seen_at) <= app.active_since(), true)
  );
end
$$;
comment on function app.unseen_visitors is
  'Returns 1 if the caller is visiting the Hub in a read for the first time in a day, so that nothing is recorded yet '
  '(app.record_presence), else 0.';

-- The slot in which the day begins counts as a whole.
create function app.active_since() returns timestamptz language sql stable
return app.now() - interval '24 hours 5 minutes';
comment on function app.active_since is
  'Returns the time from which a presence counts in activeUsers24h (docs/product.md H5).';

-- Args: p_seen_at (of the membership).
create function app.is_presence_due(p_seen_at timestamptz) returns boolean language sql stable
return coalesce(p_seen_at <= app.now() - interval '5 minutes', true);
comment on function app.is_presence_due is
  'Returns whether a presence is to be recorded, which happens at most every five minutes.';
grant execute on function app.is_presence_due to authenticated;

create function app.presence_slot(p_at timestamptz) returns timestamptz
language sql immutable set search_path = ''
begin atomic
  select date_bin(interval '5 minutes', p_at, timestamptz 'epoch');
end;
comment on function app.presence_slot is 'Returns the start of the slot of five minutes that holds p_at.';

create function app.record_hub_activity(p_hub_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.hubs as h set last_activity_at = app.now() where h.id = p_hub_id and h.last_activity_at < app.now();
end
$$;
comment on function app.record_hub_activity is 'Sets last_activity_at of a Hub, which orders lists of Hubs.';

-- It is one statement, so every reader counts a member exactly once.
create function app.fold_presence() returns void
language sql security definer set search_path = ''
begin atomic
  with folded as (
    delete from app.hub_presence where not is_folded returning *
  )
  insert into app.hub_presence as base (hub_id, seen_in, member_count, is_folded)
  select f.hub_id, f.seen_in, sum(f.member_count), true
  from folded as f
  group by f.hub_id, f.seen_in
  having sum(f.member_count) <> 0
  order by f.hub_id, f.seen_in
  on conflict (hub_id, seen_in) where is_folded do update set member_count = base.member_count + excluded.member_count;
end;
comment on function app.fold_presence is 'Upkeep: folds the rows of each Hub and slot into one.';
grant execute on function app.fold_presence to opine_worker;

create function app.state_of(p_state app.invitation_state, p_expires_at timestamptz) returns app.invitation_state
language plpgsql stable set search_path = '' as $$
begin
  return case when p_state = 'pending' and p_expires_at <= app.now() then 'expired' else p_state end;
end
$$;
comment on function app.state_of is
  'Returns the present state of an invitation: a pending one expires at p_expires_at without an update.';
grant execute on function app.state_of to anon, authenticated;

create view app.my_invitations with (security_invoker = true) as
select i.id as invitation_id, i.hub_id, i.created_at as invited_at, app.state_of(i.state, i.expires_at) as state
from app.hub_invitations as i
where i.phone = (select own.phone from app.users as own where own.id = (select app.user_id()))
  and i.inviter_id not in (select b.user_id from app.blocked_users as b);
comment on view app.my_invitations is
  'Invitations to the caller''s own phone, except those whose inviter forms a blocked pair with the caller.';
grant select on app.my_invitations to authenticated;

-- at is the last activity of the Hub, or the time of the request or invitation.
create view app.my_hub_entries with (security_invoker = true) as
select 1 as tier, h.last_activity_at as at, mine.hub_id, (
  'member', mine.role, null, null
)::app.membership_status as status
from app.my_hubs as mine
join app.hubs as h on h.id = mine.hub_id
union all
select 2, r.created_at, r.hub_id, ('pending_admin_approval', null, null, r.id)::app.membership_status
from app.join_requests as r
join app.hubs as h on h.id = r.hub_id
where r.user_id = (select app.user_id()) and r.state = 'pending_admin_approval'
union all
select 3, i.invited_at, i.hub_id, ('invited', null, i.invitation_id, null)::app.membership_status
from (
  select distinct on (every.hub_id) every.*
  from app.my_invitations as every
  where every.state = 'pending'
  order by every.hub_id, every.invited_at desc, every.invitation_id desc
) as i
join app.hubs as h on h.id = i.hub_id
where i.hub_id not in (select mine.hub_id from app.my_hubs as mine)
  and i.hub_id not in (
    select r.hub_id
    from app.join_requests as r
    where r.user_id = (select app.user_id()) and r.state = 'pending_admin_approval'
  );
comment on view app.my_hub_entries is
  'One row per Hub that the caller is a member of (tier 1), requests to join (tier 2) or is invited to (tier 3), by '
  'the first that applies.';
grant select on app.my_hub_entries to authenticated;
