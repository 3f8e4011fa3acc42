create function gateway.invoke(
  p_operation text, p_claims jsonb, p_args jsonb, p_falls_back boolean default false, p_photos_url text default null,
  p_request_id text default null
)
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform set_config('opine.photos_url', p_photos_url, true);
  return gateway.run_operation(gateway.enter(p_claims, p_falls_back, p_request_id), p_operation, p_args)::text;
end
$$;
comment on function gateway.invoke(text, jsonb, jsonb, boolean, text, text) is 'One request: api.<p_operation>(p_args) as the caller of p_claims (see gateway.enter), with photos at p_photos_url (see app.photo_url). Answers its data as JSON text. Raises what the operation raises.';

revoke all on function gateway.invoke(text, jsonb, jsonb, boolean, text, text) from public;
grant execute on function gateway.invoke(text, jsonb, jsonb, boolean, text, text) to opine_gateway, opine_serializable;
