create function app.uuid_v7()
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_bytes bytea := uuid_send(gen_random_uuid());
  v_milliseconds bigint := floor(extract(epoch from clock_timestamp()) * 1000);
begin
  v_bytes := overlay(v_bytes placing substring(int8send(v_milliseconds) from 3) from 1 for 6);
  v_bytes := set_byte(v_bytes, 6, (get_byte(v_bytes, 6) & 15) | 112);
  return encode(v_bytes, 'hex')::uuid;
end
$$;
comment on function app.uuid_v7() is 'A new id: a version 7 UUID (RFC 9562), so that rows made together lie together in their indexes.';

revoke all on function app.uuid_v7() from public;
grant execute on function app.uuid_v7() to anon, authenticated;
