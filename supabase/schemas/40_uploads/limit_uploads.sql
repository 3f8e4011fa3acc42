create function app.limit_uploads()
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.require_meter('uploads', app.user_id()::text, 600, interval '1 hour');
end
$$;
comment on function app.limit_uploads() is 'Counts an upload that the caller begins or completes. Raises RATE_LIMITED beyond 600 an hour: each may bring megabytes.';

revoke all on function app.limit_uploads() from public;
grant execute on function app.limit_uploads() to authenticated;
