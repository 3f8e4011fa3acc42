-- Reads what is pushed to the caller's devices.
--
-- Args: none. Returns push (a boolean for each type) and quietHours (from, to, timeZone; or null).
create function api.get_notification_preferences(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(2);
  return app.preferences_json();
end
$$;
comment on function api.get_notification_preferences is
  'GET /users/me/notification-preferences (docs/product.md N27-N29).';
grant execute on function api.get_notification_preferences to authenticated;

create function app.preferences_json() returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_own app.notification_preferences;
begin
  select * into v_own from app.notification_preferences as p where p.user_id = app.user_id();
  return jsonb_build_object(
    'push', (
      select jsonb_object_agg(t.type, t.type <> all (coalesce(v_own.silent_types, '{}')))
      from unnest(app.optional_types()) as t (type)
    ),
    'quietHours', case
      when v_own.time_zone is not null then jsonb_build_object(
        'from', to_char(v_own.quiet_from, 'HH24:MI'), 'to', to_char(v_own.quiet_to, 'HH24:MI'), 'timeZone',
        v_own.time_zone
      )
    end
  );
end
$$;
comment on function app.preferences_json is
  'Returns the notification preferences of the caller as JSON; everything is pushed until they change it '
  '(docs/product.md N27).';
grant execute on function app.preferences_json to authenticated;

-- Changes what is pushed to the caller's devices; a part that is missing stays.
--
-- Args: push (booleans by type), quietHours (from, to, timeZone, all of them the first time; or null).
-- Returns the preferences.
create function api.update_notification_preferences(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_push jsonb := app.switches_argument(p_args, 'push');
  v_own app.notification_preferences;
begin
  perform app.require_level(2);
  insert into app.notification_preferences (user_id) values (app.user_id()) on conflict (user_id) do nothing;
  -- Two requests that change different parts must not undo each other.
  select * into v_own from app.notification_preferences as p where p.user_id = app.user_id() for update;
  v_own.silent_types := array(
    select t.type
    from unnest(app.optional_types()) as t (type)
    where not coalesce((v_push -> t.type::text)::boolean, t.type <> all (v_own.silent_types))
  );
  if p_args -> 'quietHours' = 'null' then
    v_own.quiet_from := null;
    v_own.quiet_to := null;
    v_own.time_zone := null;
  elsif p_args ? 'quietHours' then
    v_own := app.with_quiet_hours(v_own, app.argument(p_args, 'quietHours', 'object'));
  end if;
  update app.notification_preferences as p
  set silent_types = v_own.silent_types, quiet_from = v_own.quiet_from, quiet_to = v_own.quiet_to,
    time_zone = v_own.time_zone
  where p.user_id = app.user_id();
  return app.preferences_json();
end
$$;
comment on function api.update_notification_preferences is
  'PATCH /users/me/notification-preferences (docs/product.md N27-N29).';
grant execute on function api.update_notification_preferences to authenticated;

create function app.optional_types() returns app.event_type[]
language plpgsql stable set search_path = '' as $$
begin
  return array_remove(enum_range(null::app.event_type), 'moderation_decided');
end
$$;
comment on function app.optional_types is
  'Returns the types of notifications that a person may silence on their devices: all but decisions of staff '
  '(docs/product.md N27).';
grant execute on function app.optional_types to authenticated;

-- Args: as app.argument. Returns the JSON object; null if it is missing or null. Errors: VALIDATION_FAILED.
create function app.switches_argument(p_args jsonb, p_name text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_switches jsonb := app.argument(p_args, p_name, 'object');
  v_wrong text := (
    select given.key
    from jsonb_each(v_switches) as given
    where jsonb_typeof(given.value) <> 'boolean' or given.key <> all (app.optional_types()::text[])
    limit 1
  );
begin
  if v_wrong is not null then
    perform app.refuse_argument(
      array[p_name, v_wrong], 'invalid_type', 'Must be yes or no (true or false), for a type of notification.'
    );
  end if;
  return v_switches;
end
$$;
comment on function app.switches_argument is 'Reads booleans by types of notifications.';
grant execute on function app.switches_argument to authenticated;

-- Args: p_own, p_hours (from, to, timeZone). Errors: VALIDATION_FAILED.
create function app.with_quiet_hours(
  p_own app.notification_preferences, p_hours jsonb
) returns app.notification_preferences
language plpgsql stable set search_path = '' as $$
declare
  v_zone text := app.text_argument(p_hours, 'timeZone', 1, 64, 'quietHours');
begin
  p_own.quiet_from := coalesce(app.time_argument(p_hours, 'from', 'quietHours'), p_own.quiet_from);
  p_own.quiet_to := coalesce(app.time_argument(p_hours, 'to', 'quietHours'), p_own.quiet_to);
  if p_hours ? 'timeZone' then
    p_own.time_zone := app.time_zone_named(v_zone);
    if p_own.time_zone is null then
      perform app.refuse_argument(
        '{quietHours,timeZone}', 'invalid_value', 'Must be a time zone, such as Europe/Berlin.'
      );
    end if;
  end if;
  if num_nulls(p_own.quiet_from, p_own.quiet_to, p_own.time_zone) > 0 then
    perform app.refuse_argument('{quietHours}', 'required', 'Quiet hours need from, to and timeZone.');
  elsif p_own.quiet_from = p_own.quiet_to then
    perform app.refuse_argument('{quietHours,to}', 'invalid_value', 'Must not be the time at which they begin.');
  end if;
  return p_own;
end
$$;
comment on function app.with_quiet_hours is 'Returns preferences with the given parts of quiet hours.';
grant execute on function app.with_quiet_hours to authenticated;

-- Args: as app.argument. Returns the time; null if it is missing. Errors: VALIDATION_FAILED.
create function app.time_argument(p_args jsonb, p_name text, p_within text) returns time
language plpgsql stable set search_path = '' as $$
declare
  v_text text := app.argument(p_args, p_name, 'string', p_within) #>> '{}';
begin
  if p_args ? p_name and coalesce(v_text, '') !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' then
    perform app.refuse_argument(array[p_within, p_name], 'invalid_format', 'Must be a time of day such as 22:30.');
  end if;
  return v_text::time;
end
$$;
comment on function app.time_argument is 'Reads a time of day, HH:MM.';
grant execute on function app.time_argument to authenticated;

create function app.time_zone_named(p_name text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select z.name
    from pg_catalog.pg_timezone_names as z
    -- Copies of zones and the machine's own zone, which some systems keep beside them, begin in lower case.
    where lower(z.name) = lower(p_name) and z.name ~ '^[A-Z]'
    limit 1
  );
end
$$;
comment on function app.time_zone_named is
  'Returns the IANA name of a time zone as Postgres spells it; null for any other text, abbreviations and offsets '
  'included.';
grant execute on function app.time_zone_named to authenticated;

-- It is null for a zone that Postgres no longer knows, such as after a restore on a system with older zones:
-- one person's zone must not stop the deliveries of all.
create function app.local_time(p_time_zone text) returns time
language plpgsql stable set search_path = '' as $$
begin
  return (app.now() at time zone p_time_zone)::time;
exception when invalid_parameter_value then
  return null;
end
$$;
comment on function app.local_time is 'Returns the time of day in a time zone.';

create function app.is_quiet(p_from time, p_to time, p_at time) returns boolean
language sql immutable set search_path = ''
begin atomic
  select case when p_from < p_to then p_at >= p_from and p_at < p_to else p_at >= p_from or p_at < p_to end;
end;
comment on function app.is_quiet is
  'Returns whether a local time lies in the quiet hours from p_from to p_to, which pass midnight where p_to is '
  'earlier; null without quiet hours or p_at.';
