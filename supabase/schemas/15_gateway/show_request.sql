create function gateway.show_request(p_request_id text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- Postgres would say of a longer one that it cuts it.
  perform set_config('application_name', left('opine-api ' || p_request_id, 63), true);
end
$$;
comment on function gateway.show_request(text) is 'Names the request in pg_stat_activity and in the log of Postgres (%a) for the rest of the transaction; without a name it is that of the connection.';

revoke all on function gateway.show_request(text) from public;
grant execute on function gateway.show_request(text) to opine_gateway, opine_serializable;
