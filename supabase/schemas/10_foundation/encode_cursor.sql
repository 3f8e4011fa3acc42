create function app.encode_cursor(p_at timestamptz, p_id uuid)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return rtrim(translate(encode(int8send((extract(epoch from p_at) * 1000000)::bigint) || uuid_send(p_id), 'base64'), '+/', '-_'), '=');
end
$$;
comment on function app.encode_cursor(timestamptz, uuid) is 'The opaque cursor of a list in time order: where the page ended, to the microsecond.';

revoke all on function app.encode_cursor(timestamptz, uuid) from public;
grant execute on function app.encode_cursor(timestamptz, uuid) to anon, authenticated, staff_support;
