create function api.check_handle(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_handle text := lower(regexp_replace(btrim(coalesce(app.text_argument(p_args, 'username', 0, 200), '')), '^@', ''));
  v_refusal text;
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'username');
  perform app.limit_handle_checks();
  v_refusal := app.handle_refusal(v_handle);
  return jsonb_build_object(
    'username', v_handle,
    'available', v_refusal is null,
    'reason', v_refusal,
    'alternatives', case when v_refusal is null then '{}' else app.handles_like(v_handle) end
  );
end
$$;
comment on function api.check_handle(jsonb) is 'POST /users/handles/availability (spec.md D). Takes username; answers it in canonical form, whether the caller could have it now, why not (reason), and up to three alternatives. Reserves nothing. Raises UNAUTHORIZED, RATE_LIMITED.';

revoke all on function api.check_handle(jsonb) from public;
grant execute on function api.check_handle(jsonb) to authenticated;
