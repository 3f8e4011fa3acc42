create function app.retry_after(p_until timestamptz)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return jsonb_build_object('retryAfterSeconds', greatest(1, ceil(extract(epoch from p_until - app.now()))::integer));
end
$$;
comment on function app.retry_after(timestamptz) is 'The details of a RATE_LIMITED that ends at p_until: whole seconds, at least one.';

revoke all on function app.retry_after(timestamptz) from public;
