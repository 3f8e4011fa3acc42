create function app.first_id_within(p_interval interval)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return rpad(lpad(to_hex(floor(extract(epoch from clock_timestamp() - p_interval) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
end
$$;
comment on function app.first_id_within(interval) is 'What every id is greater than that app.uuid_v7 has made so lately.';

revoke all on function app.first_id_within(interval) from public;
