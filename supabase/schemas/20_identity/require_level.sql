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
  if v_level = 0 then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  perform app.require_live_session();
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
