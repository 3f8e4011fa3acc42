create function app.decode_cursor(p_cursor text, out at timestamptz, out id uuid)
returns record
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_bytes bytea;
begin
  if p_cursor is null then
    at := 'infinity';
    id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    return;
  end if;
  if p_cursor !~ '^[A-Za-z0-9_-]{32}$' then
    perform app.refuse_cursor();
  end if;
  v_bytes := decode(translate(p_cursor, '-_', '+/'), 'base64');
  at := timestamptz 'epoch' + ((('x' || encode(substring(v_bytes from 1 for 8), 'hex'))::bit(64)::bigint
    % 10000000000000000) || ' microseconds')::interval;
  id := encode(substring(v_bytes from 9), 'hex')::uuid;
end
$$;
comment on function app.decode_cursor(text) is 'Where a page begins: what app.encode_cursor wrote, or the very top for null. Raises VALIDATION_FAILED for anything else.';

revoke all on function app.decode_cursor(text) from public;
grant execute on function app.decode_cursor(text) to anon, authenticated;
