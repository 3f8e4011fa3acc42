create function app.limit_handle_checks()
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.require_meter('handle checks', app.user_id()::text, 60, interval '1 minute');
end
$$;
comment on function app.limit_handle_checks() is 'Counts a look-up of a handle by the caller. Raises RATE_LIMITED beyond 60 a minute: enough for somebody who types, too few for a list of all names.';

revoke all on function app.limit_handle_checks() from public;
grant execute on function app.limit_handle_checks() to authenticated;
