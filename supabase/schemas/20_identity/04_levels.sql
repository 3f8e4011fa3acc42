create view app.onboarding_steps with (security_invoker = true) as
select
  u.id as user_id,
  exists (select from app.profiles as p where p.user_id = u.id) as has_basics,
  u.media_completed_at is not null as has_media,
  u.phone is not null as has_phone,
  u.contacts_synced_at is not null as has_contacts,
  u.contacts_synced_at
from app.users as u
where u.ended_at is null;
comment on view app.onboarding_steps is
  'One row per live user: the onboarding steps that they have completed (docs/product.md O1).';
grant select on app.onboarding_steps to authenticated;

create view app.user_levels with (security_invoker = true) as
select
  s.user_id,
  case
    when not s.has_basics then 1
    when not (s.has_media and s.has_phone) then 2
    when not s.has_contacts then 3
    else 4
  end as level
from app.onboarding_steps as s;
comment on view app.user_levels is 'One row per live user: their level, 1 to 4 (docs/product.md L1, L2).';
grant select on app.user_levels to authenticated;

create function app.level_of(p_user_id uuid) returns integer
language plpgsql stable set search_path = '' as $$
begin
  if p_user_id is null then
    return 0;
  end if;
  return coalesce((select l.level from app.user_levels as l where l.user_id = p_user_id), 0);
end
$$;
comment on function app.level_of is
  'Returns the level of a user, 1 to 4 (docs/product.md L1, L2); 0 for a guest (null) and an ended account.';

-- A definer function, because the policies of the caller's own rows cost more than the rows.
create function app.look_up_viewer_level() returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.level_of(app.user_id());
end
$$;
comment on function app.look_up_viewer_level is 'Returns the level of the caller (app.level_of).';
grant execute on function app.look_up_viewer_level to anon, authenticated;

-- The level of the caller, which the gateway has looked up for a read: a write may change it. The planner
-- inlines it.
create function app.viewer_level() returns integer language sql stable
return coalesce(nullif(current_setting('opine.level', true), '')::integer, app.look_up_viewer_level());
comment on function app.viewer_level is 'Returns the level of the caller (app.level_of).';
grant execute on function app.viewer_level to anon, authenticated;

-- Errors: FORBIDDEN with requiredLevel, level and nextStep; UNAUTHORIZED for a guest, an ended account or an
-- ended session.
create function app.require_level(p_level integer) returns integer
language plpgsql stable set search_path = '' as $$
declare
  v_level integer := app.viewer_level();
begin
  if v_level = 0 then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  if not app.has_checked_session() then
    perform app.require_live_session();
  end if;
  if v_level < p_level then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN',
      detail = jsonb_build_object(
        'requiredLevel', p_level, 'level', v_level, 'nextStep', app.onboarding_status() -> 'nextStep'
      )::text;
  end if;
  return v_level;
end
$$;
comment on function app.require_level is
  'Returns the caller''s level if it is at least p_level and their session is live.';
grant execute on function app.require_level to anon, authenticated;

-- The gateway has looked up the caller. The Data API checks only the token's signature. The planner inlines
-- it.
create function app.has_checked_session() returns boolean language sql stable
return coalesce(current_setting('opine.user_id', true), '') <> '';
comment on function app.has_checked_session is
  'Returns whether the session of the caller was found live in this transaction.';
grant execute on function app.has_checked_session to anon, authenticated;

create function app.require_live_session() returns void
language plpgsql stable set search_path = '' as $$
begin
  if not app.session_is_live(nullif(current_setting('request.jwt.claims', true), '')::jsonb) then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
end
$$;
comment on function app.require_live_session is 'Raises UNAUTHORIZED if the caller''s session has ended.';
grant execute on function app.require_live_session to authenticated;

-- It costs one look-up by primary key. This function is inlined into FROM.
create function app.user_of_session(p_claims jsonb) returns setof uuid
language sql stable
begin atomic
  select session.user_id
  -- By id alone: with a condition on user_id Postgres may choose sessions_user_id_idx instead.
  from (select s.user_id from app.sessions as s where s.id = (p_claims ->> 'session_id')::uuid offset 0) as session
  where session.user_id = (p_claims ->> 'sub')::uuid
    -- Numbers: a time that an exp names may be out of the range of Postgres.
    and (p_claims ->> 'exp')::bigint > extract(epoch from app.now());
end;
comment on function app.user_of_session is
  'Returns the user of an access token with these verified claims, if it is valid: it has not expired and its session '
  'has not ended.';

create function app.session_is_live(p_claims jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from app.user_of_session(p_claims));
end
$$;
comment on function app.session_is_live is
  'Returns whether an access token with these verified claims is valid (app.user_of_session).';
grant execute on function app.session_is_live to authenticated;

-- Errors: UNAUTHORIZED for an ended session.
create function app.with_live_session(p_args jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_live_session();
  return p_args;
end
$$;
comment on function app.with_live_session is 'Returns p_args.';
grant execute on function app.with_live_session to anon, authenticated;

-- All other operations check the session in app.require_level. The planner inlines it.
--
-- Errors: UNAUTHORIZED for an ended session.
create function app.require_live_session_if_any(p_args jsonb) returns jsonb language sql stable
return case
  when current_user <> 'authenticated' or app.has_checked_session() then p_args
  else app.with_live_session(p_args)
end;
comment on function app.require_live_session_if_any is
  'Returns the arguments of an operation that guests may call too, after a check of the session.';
grant execute on function app.require_live_session_if_any to anon, authenticated;

-- Errors: UNAUTHORIZED if the account has ended, even after the operation began.
create function app.onboarding_status() returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_level integer := app.require_level(1);
  v_status jsonb := (
    select jsonb_build_object(
      'profileBasics', s.has_basics,
      'mediaCompleted', s.has_media,
      'phoneConfirmed', s.has_phone,
      'contactsSynced', s.has_contacts,
      'contactsSyncedAt', app.iso(s.contacts_synced_at),
      'level', v_level,
      'completed', s.has_basics and s.has_media and s.has_phone and s.has_contacts,
      'nextStep', case
        when not s.has_basics then 'profile_basics'
        when not s.has_media then 'media'
        when not s.has_phone then 'phone'
        when not s.has_contacts then 'contacts'
      end
    )
    from app.onboarding_steps as s
    where s.user_id = (select app.user_id())
  );
begin
  -- The level is of the beginning of the request.
  if v_status is null then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  return v_status;
end
$$;
comment on function app.onboarding_status is 'Returns the caller''s OnboardingStatus (docs/product.md O1, O2).';
grant execute on function app.onboarding_status to authenticated;
