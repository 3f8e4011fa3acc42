-- A suspended user stays an admin and cannot.
create view app.acting_admins with (security_invoker = true) as
select m.hub_id, m.user_id
from app.memberships as m
where m.role = 'admin' and not exists (select from app.suspensions as s where s.user_id = m.user_id);
comment on view app.acting_admins is 'Admins of Hubs who can act.';

-- Makes a member an admin or manager.
--
-- Args: hubId, userId, role (admin, the default, or manager). Returns userId and role.
create function api.add_admin(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_role app.hub_role := coalesce(app.choice_argument(p_args, 'role', 'admin', 'manager'), 'admin')::app.hub_role;
begin
  perform app.require_level(4);
  perform app.require_arguments(p_args, 'userId');
  perform app.set_role((p_args ->> 'hubId')::uuid, (p_args ->> 'userId')::uuid, v_role);
  return jsonb_build_object('userId', (p_args ->> 'userId')::uuid, 'role', v_role);
end
$$;
comment on function api.add_admin is 'POST /hubs/{hubId}/admins (docs/product.md H8, H16).';
grant execute on function api.add_admin to authenticated;

-- Returns an admin or manager to the role member. Args: hubId, userId. Returns userId and role.
create function api.remove_admin(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.set_role((p_args ->> 'hubId')::uuid, (p_args ->> 'userId')::uuid, 'member', 'MEMBER_NOT_FOUND');
  return jsonb_build_object('userId', (p_args ->> 'userId')::uuid, 'role', 'member');
end
$$;
comment on function api.remove_admin is 'DELETE /hubs/{hubId}/admins/{userId} (docs/product.md H16, H18).';
grant execute on function api.remove_admin to authenticated;

-- Args: p_hidden (see app.require_member). Errors: those of app.require_member; MEMBER_NOT_FOUND, LAST_ADMIN,
-- RATE_LIMITED.
create function app.set_role(p_hub_id uuid, p_user_id uuid, p_role app.hub_role, p_hidden text default null)
returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_former app.hub_role;
begin
  perform app.lock_hub(p_hub_id);
  perform app.require_member(p_hub_id, 'admin', p_hidden);
  select m.role into v_former from app.memberships as m where m.hub_id = p_hub_id and m.user_id = p_user_id;
  if v_former is null then
    raise exception using errcode = 'PT404', message = 'MEMBER_NOT_FOUND';
  end if;
  if v_former = p_role then
    return;
  end if;
  if v_former = 'admin' then
    perform app.require_other_admin(p_hub_id, p_user_id);
  end if;
  perform app.change_role(p_hub_id, p_user_id, p_role, app.user_id());
  perform app.use_limit('roleChanges');
end
$$;
comment on function app.set_role is 'Sets the role of a member for an admin of the Hub.';
grant execute on function app.set_role to authenticated;

-- The transaction must hold app.lock_hub.
create function app.change_role(p_hub_id uuid, p_user_id uuid, p_role app.hub_role, p_actor_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.memberships as m set role = p_role where m.hub_id = p_hub_id and m.user_id = p_user_id;
  perform app.emit('hub_role_changed', p_actor_id => p_actor_id, p_subject_id => p_user_id, p_hub_id => p_hub_id);
end
$$;
comment on function app.change_role is 'Updates the role of a member and emits the event.';

-- Args: p_user_id (whose account has ended, or null).
create function app.succeed_admin(p_hub_id uuid, p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
declare
  v_successor_id uuid;
begin
  if exists (select from app.acting_admins as a where a.hub_id = p_hub_id and a.user_id is distinct from p_user_id) then
    return;
  end if;
  select m.user_id into v_successor_id
  from app.memberships as m
  join app.users as u on u.id = m.user_id and u.ended_at is null
  where m.hub_id = p_hub_id and m.user_id is distinct from p_user_id
    and not exists (select from app.suspensions as s where s.user_id = m.user_id)
  order by m.role desc, m.joined_at, m.user_id
  limit 1;
  if v_successor_id is not null then
    perform app.change_role(p_hub_id, v_successor_id, 'admin', null);
  end if;
end
$$;
comment on function app.succeed_admin is
  'Makes the longest-standing manager of a Hub its admin, else the longest-standing member, unless an admin other than '
  'p_user_id can act (docs/product.md H17).';

create function app.require_replaceable(p_hub_id uuid, p_user_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id = p_user_id and m.role = 'admin')
    and exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id <> p_user_id) then
    perform app.require_other_admin(p_hub_id, p_user_id);
  end if;
end
$$;
comment on function app.require_replaceable is
  'Raises LAST_ADMIN if other members remain without an admin who can act once p_user_id leaves.';
