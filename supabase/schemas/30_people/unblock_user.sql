create function api.unblock_user(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  delete from app.blocks as b where b.blocker_id = app.user_id() and b.blocked_id = (p_args ->> 'userId')::uuid;
  -- Two people may have blocked each other: then the one who takes it back does not see the other.
  if not found then
    perform app.require_person((p_args ->> 'userId')::uuid);
  end if;
  return '{"blocked": false}'::jsonb;
end
$$;
comment on function api.unblock_user(jsonb) is 'DELETE /users/{userId}/block (spec.md D). Takes userId; answers blocked, also where there was no block. Raises UNAUTHORIZED, USER_NOT_FOUND.';

revoke all on function api.unblock_user(jsonb) from public;
grant execute on function api.unblock_user(jsonb) to authenticated;
