create function app.require_meter(p_kind text, p_subject text, p_limit integer, p_window interval)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_opens_at timestamptz := app.use_meter(p_kind, p_subject, p_limit, p_window);
begin
  if v_opens_at is not null then
    raise exception using errcode = 'PT429', message = 'RATE_LIMITED', detail = app.retry_after(v_opens_at)::text;
  end if;
end
$$;
comment on function app.require_meter(text, text, integer, interval) is 'app.use_meter that raises RATE_LIMITED, with retryAfterSeconds, where nothing is free.';

revoke all on function app.require_meter(text, text, integer, interval) from public;
