create function api.block_user(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_blocked_id uuid := (p_args ->> 'userId')::uuid;
begin
  perform app.require_level(1);
  perform app.lock_pair(app.user_id(), v_blocked_id);
  perform app.require_person(v_blocked_id);
  perform app.put_block(v_blocked_id);
  return '{"blocked": true}'::jsonb;
end
$$;
comment on function api.block_user(jsonb) is 'POST /users/{userId}/block (spec.md D, contract.md 6). Takes userId; answers blocked. Idempotent. Raises UNAUTHORIZED, USER_NOT_FOUND, CANNOT_BLOCK_SELF by blocks_are_of_others.';

revoke all on function api.block_user(jsonb) from public;
grant execute on function api.block_user(jsonb) to authenticated;
