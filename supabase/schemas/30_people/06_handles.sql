-- Checks whether the caller could have a handle now; reserves nothing.
--
-- Args: username. Returns username (canonical), available, reason and up to three alternatives. The canonical
-- form of an invalid handle is what remains of it, so that the answer echoes no character that a page would
-- have to escape.
create function api.check_handle(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  -- In the collation C the case of ASCII letters alone changes, in every database: a handle has no others.
  v_handle text := lower(
    regexp_replace(btrim(coalesce(app.text_argument(p_args, 'username', 0, 200), '')), '^@+', '') collate "C"
  );
  v_refusal text;
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'username');
  perform app.limit_handle_checks();
  v_refusal := app.handle_refusal(v_handle);
  return jsonb_build_object(
    'username', regexp_replace(v_handle, '[^a-z0-9_]', '', 'g'),
    'available', v_refusal is null,
    'reason', v_refusal,
    'alternatives', case when v_refusal is null then '{}' else app.handles_like(v_handle) end
  );
end
$$;
comment on function api.check_handle is 'POST /users/handles/availability (docs/product.md P4).';
grant execute on function api.check_handle to authenticated;

-- The constraints of app.profiles decide.
create function app.handle_refusal(p_handle text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return case
    when not app.is_handle(p_handle) then 'invalid'
    when app.is_reserved_handle(p_handle) then 'reserved'
    when app.is_handle_taken(p_handle) then 'taken'
  end;
end
$$;
comment on function app.handle_refusal is
  'Returns why the caller cannot have a handle now: invalid, reserved or taken; null if they can.';
grant execute on function app.handle_refusal to authenticated;

create function app.handles_like(p_text text) returns text[]
language plpgsql set search_path = '' as $$
declare
  v_common text := 'opinion';
  -- A handle has at most 30 characters, and the longest suffix has 5.
  v_stem text := left(
    coalesce(nullif(regexp_replace(normalize(p_text, nfd), '[^a-z0-9_]', '', 'g'), ''), v_common), 25
  );
begin
  -- A reserved name with a number would still look official.
  if app.is_reserved_handle(v_stem) then
    v_stem := v_common;
  end if;
  return array(
    select candidate.handle
    from (
      select distinct v_stem || floor(10 ^ digits * (0.1 + 0.9 * random()))::integer as handle, digits
      from generate_series(2, 5) as digits
      cross join generate_series(1, 8)
    ) as candidate
    where app.handle_refusal(candidate.handle) is null
    order by candidate.digits
    limit 3
  );
end
$$;
comment on function app.handles_like is
  'Returns up to three handles that are free now: the valid characters of the text, without accents, and a random '
  'number with as few digits as possible.';
grant execute on function app.handles_like to authenticated;

create function app.is_handle_taken(p_handle text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from app.profiles as p
    where app.handle_skeleton(p.username) = app.handle_skeleton(p_handle) and p.user_id <> app.user_id()
  );
end
$$;
comment on function app.is_handle_taken is
  'Returns whether another user has a handle now that is or looks like this one, hidden users included.';
grant execute on function app.is_handle_taken to authenticated;

-- Raises RATE_LIMITED beyond 60 a minute: enough for typing, too few for enumerating all names.
create function app.limit_handle_checks() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_rate_limit('handle checks', app.user_id()::text, 60, interval '1 minute');
end
$$;
comment on function app.limit_handle_checks is 'Counts a handle look-up of the caller.';
grant execute on function app.limit_handle_checks to authenticated;
