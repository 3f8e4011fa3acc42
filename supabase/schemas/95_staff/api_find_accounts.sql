create function api.find_accounts(jsonb)
returns jsonb
language sql
volatile
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
    'userId', a.user_id,
    'username', a.username,
    'fullName', a.full_name,
    'phoneHint', a.phone_hint,
    'createdAt', app.iso(a.created_at),
    'endedAt', app.iso(a.ended_at),
    'suspendedAt', app.iso(a.suspended_at)
  ) order by a.user_id), '[]'))
  from staff.find_accounts($1 ->> 'q') as a;
end;
comment on function api.find_accounts(jsonb) is 'POST /admin/accounts/find: staff.find_accounts as an operation. Takes q; answers items. Raises UNAUTHORIZED and FORBIDDEN in the gateway.';

revoke all on function api.find_accounts(jsonb) from public;
grant execute on function api.find_accounts(jsonb) to staff_support;
