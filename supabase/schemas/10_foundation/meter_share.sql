create function app.meter_share(p_limit integer, p_window interval)
returns interval
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select interval '1 microsecond' * ((extract(epoch from p_window) * 1000000)::bigint / p_limit);
end;
comment on function app.meter_share(integer, interval) is 'What one of p_limit uses takes of p_window, rounded down so that all of them fit.';

revoke all on function app.meter_share(integer, interval) from public;
