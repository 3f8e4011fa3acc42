create function app.iso(p_at timestamptz)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end
$$;
comment on function app.iso(timestamptz) is 'A time as answers carry it: ISO 8601 in UTC with milliseconds. Null stays null.';

revoke all on function app.iso(timestamptz) from public;
grant execute on function app.iso(timestamptz) to anon, authenticated, staff_support;
