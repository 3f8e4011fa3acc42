create type app.hub_person as (
  user_id uuid, display_name text, photo_asset_id uuid, username text, phone_number text, role app.hub_role,
  joined_at timestamptz
);
comment on type app.hub_person is
  'A person as the members of a Hub see them: an active member by their private Hub profile, with phone, role and join '
  'time; anyone else by the public profile alone (docs/product.md H23, P11).';

-- Errors: HUB_NOT_FOUND.
create function app.require_hub(p_hub_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from app.hubs as h where h.id = p_hub_id and h.is_open) then
    raise exception using errcode = 'PT404', message = 'HUB_NOT_FOUND';
  end if;
  return p_hub_id;
end
$$;
comment on function app.require_hub is 'Returns p_hub_id if the Hub is open.';
grant execute on function app.require_hub to authenticated;

-- Requires the caller's membership in a Hub.
--
-- Args: p_role (the lowest role that passes), p_hidden (the error for a non-member instead of FORBIDDEN, when
-- the call names an item inside the Hub). Returns the role, and when the caller last used the Hub. Errors:
-- UNAUTHORIZED for a guest; FORBIDDEN below level 4, for a lower role and for a non-member; p_hidden;
-- HUB_NOT_FOUND.
create function app.require_membership(
  p_hub_id uuid, p_role app.hub_role default 'member', p_hidden text default null,
  out role app.hub_role, out seen_at timestamptz
) returns record
language plpgsql stable set search_path = '' as $$
declare
  v_mine record := app.own_membership(p_hub_id);
begin
  perform app.require_level(4);
  role := v_mine.role;
  seen_at := v_mine.seen_at;
  if require_membership.role is null then
    perform app.refuse_non_member(p_hub_id, p_hidden);
  end if;
  if require_membership.role < p_role then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
end
$$;
comment on function app.require_membership is 'Requires the caller''s membership in a Hub (docs/product.md H7).';
grant execute on function app.require_membership to anon, authenticated;

-- A definer function, because the policy of memberships costs more than the membership.
create function app.own_membership(p_hub_id uuid, out role app.hub_role, out seen_at timestamptz) returns record
language plpgsql stable security definer set search_path = '' as $$
begin
  select m.role, m.seen_at into own_membership.role, own_membership.seen_at
  from app.memberships as m
  where m.hub_id = p_hub_id and m.user_id = app.user_id();
end
$$;
comment on function app.own_membership is
  'Returns the caller''s role in a Hub, and when they last used it; nulls for a non-member.';
grant execute on function app.own_membership to anon, authenticated;

-- Requires the caller's membership in a Hub and records their use of it, at most every five minutes.
--
-- Args and errors: as app.require_membership. Returns the caller's role.
create function app.require_member(p_hub_id uuid, p_role app.hub_role default 'member', p_hidden text default null)
returns app.hub_role
language plpgsql set search_path = '' as $$
declare
  v_mine record := app.require_membership(p_hub_id, p_role, p_hidden);
begin
  if app.is_presence_due(v_mine.seen_at) then
    perform app.record_presence(p_hub_id);
  end if;
  return v_mine.role;
end
$$;
comment on function app.require_member is
  'Requires the caller''s membership in a Hub and records the visit (docs/product.md H5, H7).';
grant execute on function app.require_member to anon, authenticated;

create function app.require_no_member(p_hub_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if exists (select from app.my_hubs as mine where mine.hub_id = p_hub_id) then
    raise exception using errcode = 'PT409', message = 'ALREADY_MEMBER';
  end if;
end
$$;
comment on function app.require_no_member is 'Raises ALREADY_MEMBER if the caller is a member of the Hub.';

create function app.require_other_admin(p_hub_id uuid, p_user_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from app.acting_admins as a where a.hub_id = p_hub_id and a.user_id <> p_user_id) then
    raise exception using errcode = 'PT409', message = 'LAST_ADMIN';
  end if;
end
$$;
comment on function app.require_other_admin is
  'Raises LAST_ADMIN unless the Hub has an admin other than p_user_id who can act.';

-- Errors: HUB_NOT_FOUND; else p_hidden if it is given; else FORBIDDEN.
create function app.refuse_non_member(p_hub_id uuid, p_hidden text) returns void
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_hub(p_hub_id);
  if p_hidden is not null then
    raise exception using errcode = 'PT404', message = p_hidden;
  end if;
  raise exception using errcode = 'PT403', message = 'FORBIDDEN';
end
$$;
comment on function app.refuse_non_member is 'Refuses a non-member of a Hub.';
grant execute on function app.refuse_non_member to authenticated;

-- Every policy about membership reads this view, and it reads with its owner's rights: its condition is all
-- that a policy of these rows would say, and each mention of a table under a policy adds that policy's
-- subqueries to a plan.
create view app.my_hubs with (security_barrier = true) as
select m.hub_id, m.role, m.joined_at
from app.memberships as m
where m.user_id = (select app.user_id());
comment on view app.my_hubs is 'The Hubs in which the caller is an active member, with role and join time.';
grant select on app.my_hubs to authenticated;

-- An operation that writes under policies calls it, so the membership and its role cannot end in between.
create function app.lock_member(p_hub_id uuid, p_role app.hub_role default 'member', p_hidden text default null)
returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from app.memberships as m where m.hub_id = p_hub_id and m.user_id = app.user_id() for no key update;
  perform app.require_member(p_hub_id, p_role, p_hidden);
end
$$;
comment on function app.lock_member is
  'Locks the caller''s membership until the end of the transaction, then checks it as app.require_member does.';
grant execute on function app.lock_member to authenticated;

-- Errors: FORBIDDEN for a Hub that the caller is not an active member of, or that has closed; UNAUTHORIZED,
-- FORBIDDEN (below level 4).
create function app.lock_own_memberships(p_hub_ids uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_hub_id uuid;
begin
  if not p_hub_ids <@ array(select mine.hub_id from app.my_hubs as mine) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  for v_hub_id in select target.id from unnest(p_hub_ids) as target (id) order by target.id loop
    perform from app.memberships as m where m.hub_id = v_hub_id and m.user_id = app.user_id() for no key update;
    -- The membership, or the Hub, may have ended during the wait for the lock.
    if not found then
      raise exception using errcode = 'PT403', message = 'FORBIDDEN';
    end if;
    perform app.require_member(v_hub_id);
  end loop;
end
$$;
comment on function app.lock_own_memberships is
  'Locks the caller''s memberships of these Hubs until the end of the transaction, in the order of their ids.';
grant execute on function app.lock_own_memberships to authenticated;

-- The lock is advisory, because every write into a Hub updates and locks its row.
create function app.lock_hub(p_hub_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('hub ' || p_hub_id, 0));
end
$$;
comment on function app.lock_hub is
  'Serialises the changes of memberships and roles of a Hub until the end of the transaction.';

create function app.lock_hubs_of(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.lock_hub(theirs.hub_id)
  from (select m.hub_id from app.memberships as m where m.user_id = p_user_id order by m.hub_id) as theirs;
end
$$;
comment on function app.lock_hubs_of is
  'Calls app.lock_hub for every Hub of a user, in the order of their ids, which prevents deadlocks.';

create function app.count_members() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    insert into app.hub_presence (hub_id, seen_in, member_count)
    select f.hub_id, app.presence_slot(f.seen_at), -count(*)
    from former as f
    -- The delete of a Hub cascades to its presence, so a new row would violate the foreign key.
    join app.hubs as h on h.id = f.hub_id
    where f.seen_at is not null
    group by 1, 2;
  end if;
  if tg_op <> 'DELETE' then
    insert into app.hub_presence (hub_id, seen_in, member_count)
    select n.hub_id, app.presence_slot(n.seen_at), count(*) from present as n where n.seen_at is not null group by 1, 2;
  end if;
  if tg_op = 'INSERT' then
    update app.hubs as h
    set member_count = h.member_count + joined.count
    from (select n.hub_id, count(*) from present as n group by 1) as joined
    where h.id = joined.hub_id;
  elsif tg_op = 'DELETE' then
    update app.hubs as h
    set member_count = h.member_count - gone.count
    from (select f.hub_id, count(*) from former as f group by 1) as gone
    where h.id = gone.hub_id;
  end if;
  return null;
end
$$;
comment on function app.count_members is
  'Trigger: maintains app.hub_presence and app.hubs.member_count after each statement that inserts, updates or deletes '
  'memberships.';

-- The transaction must hold app.lock_hub. It also settles the user's open join requests and invitations for
-- the Hub, so a removed member finds no old invitation to return by.
create function app.become_member(p_hub_id uuid, p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  insert into app.memberships (hub_id, user_id, role) values (p_hub_id, p_user_id, 'member');
  update app.join_requests
  set state = 'approved', ended_at = app.now()
  where hub_id = p_hub_id and user_id = p_user_id and state = 'pending_admin_approval';
  update app.hub_invitations as i
  set state = 'accepted'
  from app.users as u
  where u.id = p_user_id and i.hub_id = p_hub_id and i.phone = u.phone
    and app.state_of(i.state, i.expires_at) = 'pending';
  perform app.emit('hub_member_joined', p_actor_id => p_user_id, p_subject_id => p_user_id, p_hub_id => p_hub_id);
end
$$;
comment on function app.become_member is
  'Inserts the membership of a user in an existing Hub; no other function does (docs/product.md H15).';

-- The transaction must hold app.lock_hub.
create function app.delete_memberships(p_hub_id uuid, variadic p_user_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.memberships as m where m.hub_id = p_hub_id and m.user_id = any (p_user_ids);
  delete from app.invite_links as l where l.hub_id = p_hub_id and l.creator_id = any (p_user_ids);
  -- A former member must not return by an old invitation.
  update app.hub_invitations as i
  set state = 'expired'
  from app.users as u
  where u.id = any (p_user_ids) and i.hub_id = p_hub_id and i.phone = u.phone and i.state = 'pending';
  update app.hubs as h set closed_at = app.now(), custom_link = null where h.id = p_hub_id and h.member_count = 0;
end
$$;
comment on function app.delete_memberships is
  'Deletes the memberships of users in a Hub, and the invite links that they made, a statement for all of them, and '
  'closes the Hub with the last one.';

-- Lists the members of a Hub, or finds them by name.
--
-- Args: hubId, q, cursor, limit. Returns items and nextCursor.
create function api.list_members(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_member((p_args ->> 'hubId')::uuid);
  if coalesce(p_args ->> 'q', '') = '' then
    return app.members_page(p_args, 'member');
  end if;
  return app.find_members(p_args);
end
$$;
comment on function api.list_members is 'GET /hubs/{hubId}/members (docs/product.md H23).';
grant execute on function api.list_members to authenticated;

-- Lists the admins and managers of a Hub.
--
-- Args: hubId, cursor, limit. Returns items and nextCursor as list_members does.
create function api.list_admins(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_member((p_args ->> 'hubId')::uuid);
  return app.members_page(p_args, 'manager');
end
$$;
comment on function api.list_admins is 'GET /hubs/{hubId}/admins (docs/product.md H8, H23).';
grant execute on function api.list_admins to authenticated;

-- Args: p_args (hubId, cursor, limit), p_role (any role but member lists admins and managers only). Returns
-- items and nextCursor. Errors: VALIDATION_FAILED for a cursor of another list.
create function app.members_page(p_args jsonb, p_role app.hub_role) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of(case p_role when 'member' then 'list_members' else 'list_admins' end, p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  if p_role = 'member' then
    v_page := array(
      select (m.joined_at, m.user_id)::app.list_entry
      from app.memberships as m
      where m.hub_id = v_hub_id
        and not exists (select from app.users_hidden_from_all as h where h.user_id = m.user_id)
        and (m.joined_at, m.user_id) < (v_from.at, v_from.id)
      order by m.joined_at desc, m.user_id desc
      limit v_limit + 1
    );
  else
    -- A condition on p_role would hide the partial index memberships_staff_idx from the planner.
    v_page := array(
      select (m.joined_at, m.user_id)::app.list_entry
      from app.memberships as m
      where m.hub_id = v_hub_id and m.role <> 'member'
        and not exists (select from app.users_hidden_from_all as h where h.user_id = m.user_id)
        and (m.joined_at, m.user_id) < (v_from.at, v_from.id)
      order by m.joined_at desc, m.user_id desc
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'items', app.members_json(v_hub_id, array(select entry.id from unnest(v_page[:v_limit]) as entry)),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function app.members_page is 'Returns a page of members of a Hub of the caller, last joined first.';
grant execute on function app.members_page to authenticated;

-- Args: hubId, q, cursor, limit. Returns items and nextCursor. Errors: VALIDATION_FAILED for a cursor of
-- another list.
create function app.find_members(p_args jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_query text := app.text_argument(p_args, 'q', 1, 80);
  -- Of the names, only usernames have underscores.
  v_key text collate "C" := case
    when strpos(v_query, '_') > 0 then app.handle_key(v_query)
    else app.search_key(v_query)
  end;
  v_end text collate "C" := app.end_of_prefix(v_key);
  v_list text := app.list_of('list_members', p_args);
  v_after app.search_hit := app.decode_hit(v_list, p_args ->> 'cursor');
  v_hits app.search_hit[];
begin
  -- The index range begins at the prefix.
  v_after.key := greatest(v_after.key, v_key);
  if v_key <> '' then
    v_hits := array(
      select (1, n.name, n.user_id)::app.search_hit
      from app.member_names as n
      where n.hub_id = v_hub_id and n.name < v_end and (n.name, n.user_id) > (v_after.key, v_after.id)
        and not exists (select from app.users_hidden_from_all as h where h.user_id = n.user_id)
        -- A member with several matching names is listed once, by the first. One lookup per row, as in app.hub_people.
        and n.name = (
          select min(own.name) from app.member_names as own
          where own.hub_id = n.hub_id and own.user_id = n.user_id and own.name >= v_key
        )
      order by n.name, n.user_id
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'items', app.members_json(v_hub_id, array(select hit.id from unnest(v_hits[:v_limit]) as hit)),
    'nextCursor', app.encode_hit(v_list, v_hits, v_limit)
  );
end
$$;
comment on function app.find_members is
  'Returns a page of members of a Hub of the caller whose username, or display name from one of its words on, begins '
  'with q, in alphabetical order.';
grant execute on function app.find_members to authenticated;

create function app.members_json(p_hub_id uuid, p_user_ids uuid[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(app.hub_member(person) order by entry.place), '[]')
    from unnest(p_user_ids) with ordinality as entry (user_id, place)
    join app.hub_people(p_hub_id, p_user_ids) as person on person.user_id = entry.user_id and person.role is not null
  );
end
$$;
comment on function app.members_json is 'Returns these members of a Hub of the caller, in this order.';
grant execute on function app.members_json to authenticated;

create function app.hub_member(p_member app.hub_person) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object(
    'userId', p_member.user_id,
    'displayName', p_member.display_name,
    'profilePhotoUrl', app.photo_url(p_member.photo_asset_id),
    'username', p_member.username,
    'phoneNumber', p_member.phone_number,
    'role', p_member.role,
    'joinedAt', app.iso(p_member.joined_at)
  );
end
$$;
comment on function app.hub_member is 'Returns a member as the lists of a Hub show them (docs/product.md H23).';
grant execute on function app.hub_member to authenticated;

-- It omits users hidden from everybody and ended accounts. It bypasses policies, because none shows phones
-- and private Hub profiles, and because blocks do not apply inside Hubs.
create function app.hub_people(p_hub_id uuid, p_user_ids uuid[]) returns setof app.hub_person
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id = app.user_id()) then
    return;
  end if;
  return query
  select
    p.user_id,
    case when m.role is not null then coalesce(h.display_name, p.full_name) else p.full_name end,
    case when m.role is not null then h.photo_asset_id else p.photo_asset_id end,
    p.username,
    case when m.role is not null then u.phone end,
    m.role,
    m.joined_at
  from (
    select distinct wanted.id
    from unnest(p_user_ids) as wanted (id)
    where not exists (select from app.users_hidden_from_all as h where h.user_id = wanted.id)
  ) as wanted
  -- One lookup per person: the planner overestimates their number and would read the whole Hub.
  cross join lateral (select * from app.profiles as p where p.user_id = wanted.id limit 1) as p
  cross join lateral (select u.phone from app.users as u where u.id = wanted.id limit 1) as u
  left join lateral (
    select m.role, m.joined_at from app.memberships as m where m.hub_id = p_hub_id and m.user_id = wanted.id limit 1
  ) as m on true
  left join lateral (
    select h.display_name, h.photo_asset_id from app.hub_profiles as h where h.user_id = wanted.id limit 1
  ) as h on true;
end
$$;
comment on function app.hub_people is
  'Returns people as the members of a Hub see them, and no rows if the caller is a non-member (docs/product.md P20).';
grant execute on function app.hub_people to authenticated;

create function app.name_members() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Serialises with app.rename_member, which locks the same profiles.
  perform from app.profiles as p
  where p.user_id in (select n.user_id from present as n)
  order by p.user_id
  for share;
  insert into app.member_names (hub_id, name, user_id)
  select n.hub_id, called.name, n.user_id
  from present as n
  cross join lateral app.search_names_of(n.user_id) as called (name);
  return null;
end
$$;
comment on function app.name_members is 'Trigger: inserts the names of new members into app.member_names.';

create function app.rename_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid := coalesce(new.user_id, old.user_id);
  v_names text[];
begin
  perform from app.profiles as p where p.user_id = v_user_id for no key update;
  -- Serialises with a removal from a Hub.
  perform from app.memberships as m where m.user_id = v_user_id order by m.hub_id for key share;
  v_names := array(select app.search_names_of(v_user_id));
  delete from app.member_names as n where n.user_id = v_user_id and n.name <> all (v_names);
  insert into app.member_names (hub_id, name, user_id)
  select m.hub_id, called.name, m.user_id
  from app.memberships as m
  cross join unnest(v_names) as called (name)
  where m.user_id = v_user_id
  on conflict do nothing;
  return null;
end
$$;
comment on function app.rename_member is
  'Trigger: updates app.member_names after a user''s names change or disappear in app.profiles or app.hub_profiles.';

-- In byte order and by Hub, so a search by prefix is an index range.
create table app.member_names (
  hub_id uuid not null,
  name text collate "C" not null,
  user_id uuid not null,
  constraint member_names_pkey primary key (hub_id, name, user_id),
  constraint member_names_are_of_members foreign key (hub_id, user_id) references app.memberships (hub_id, user_id)
    on delete cascade
);
comment on table app.member_names is
  'One row per Hub, member and name that finds them: the username, and the display name from each of its words on, '
  'folded as searches compare them (see app.search_names_of).';
create index member_names_user_id_idx on app.member_names (user_id, hub_id, name);
alter table app.member_names enable row level security;
grant select on app.member_names to authenticated;

create function app.search_names_of(p_user_id uuid) returns setof text
language sql stable set search_path = ''
begin atomic
  with person as (
    select p.username, app.search_key(coalesce(h.display_name, p.full_name)) as name
    from app.profiles as p
    left join app.hub_profiles as h on h.user_id = p.user_id
    where p.user_id = p_user_id
  ),
  words as (
    select word, place
    from person
    cross join lateral string_to_table(nullif(person.name, ''), ' ') with ordinality as part (word, place)
  )
  select person.username from person
  union
  select string_agg(later.word, ' ' order by later.place)
  from words
  join words as later on later.place >= words.place
  -- A name of single letters would have forty rows.
  where words.place <= 10
  group by words.place;
end;
comment on function app.search_names_of is
  'Returns the names that find a user in Hubs: the username, and the display name from each of its first ten words on.';

create trigger profiles_rename_members_after_update after update of username, full_name on app.profiles
for each row when ((old.username, old.full_name) is distinct from (new.username, new.full_name))
execute function app.rename_member();

create trigger profiles_rename_members_after_delete after delete on app.profiles
for each row execute function app.rename_member();

create trigger hub_profiles_rename_members_after_insert after insert on app.hub_profiles
for each row execute function app.rename_member();

create trigger hub_profiles_rename_members_after_update after update of display_name on app.hub_profiles
for each row when (old.display_name is distinct from new.display_name)
execute function app.rename_member();

create trigger memberships_totals_after_insert after insert on app.memberships
referencing new table as present
for each statement execute function app.count_members();

create trigger memberships_totals_after_update after update on app.memberships
referencing old table as former new table as present
for each statement execute function app.count_members();

create trigger memberships_totals_after_delete after delete on app.memberships
referencing old table as former
for each statement execute function app.count_members();

create trigger memberships_name_after_insert after insert on app.memberships
referencing new table as present
for each statement execute function app.name_members();
