create function app.uuid_v7()
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_bytes bytea := uuid_send(gen_random_uuid());
  v_microseconds bigint := floor(extract(epoch from clock_timestamp()) * 1000000)::bigint;
  v_fraction integer := ((v_microseconds % 1000) * 4096 / 1000)::integer;
begin
  v_bytes := overlay(v_bytes placing substring(int8send(v_microseconds / 1000) from 3) from 1 for 6);
  v_bytes := set_byte(v_bytes, 6, 112 | (v_fraction >> 8));
  v_bytes := set_byte(v_bytes, 7, v_fraction & 255);
  return encode(v_bytes, 'hex')::uuid;
end
$$;
comment on function app.uuid_v7() is 'A new id: a version 7 UUID (RFC 9562, a fraction of the millisecond by method 3), so that rows made together lie together in their indexes and whoever makes several finds them in the order of making.';

revoke all on function app.uuid_v7() from public;
grant execute on function app.uuid_v7() to anon, authenticated;
