create function gateway.invoke_as_guest(
  p_operation text, p_args jsonb, p_photos_url text, p_most_stale interval, p_request_id text default null
)
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if gateway.staleness() > p_most_stale then
    raise exception using errcode = 'PT503', message = 'SERVICE_UNAVAILABLE';
  end if;
  return gateway.invoke(p_operation, null, p_args, p_photos_url => p_photos_url, p_request_id => p_request_id);
end
$$;
comment on function gateway.invoke_as_guest(text, jsonb, text, interval, text) is 'One request as a replica serves it: gateway.invoke for a guest, who has no rights that could have ended meanwhile. Raises SERVICE_UNAVAILABLE where gateway.staleness is more than p_most_stale, and what the operation raises.';

revoke all on function gateway.invoke_as_guest(text, jsonb, text, interval, text) from public;
grant execute on function gateway.invoke_as_guest(text, jsonb, text, interval, text) to opine_gateway;
