create function app.limit_exports()
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.require_meter('exports', app.user_id()::text, 3, interval '1 day');
end
$$;
comment on function app.limit_exports() is 'Counts an export of the caller''s data. Raises RATE_LIMITED beyond 3 a day: each reads all that somebody has.';

revoke all on function app.limit_exports() from public;
grant execute on function app.limit_exports() to authenticated;
