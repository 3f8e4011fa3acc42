create function app.require_level(p_level integer)
returns integer
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_level integer := app.level_of(app.user_id());
begin
  -- The gateway has looked already; the Data API, which takes the same tokens, looks at their signature alone.
  if v_level = 0 or not app.session_is_live(current_setting('request.jwt.claims')::jsonb) then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
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
comment on function app.require_level(integer) is 'Lets a caller of at least p_level with a live session pass, and answers their level. Raises FORBIDDEN with requiredLevel, level and nextStep; UNAUTHORIZED for a guest.';

revoke all on function app.require_level(integer) from public;
grant execute on function app.require_level(integer) to authenticated;
