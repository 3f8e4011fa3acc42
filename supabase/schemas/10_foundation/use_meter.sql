create function app.use_meter(p_kind text, p_subject text, p_limit integer, p_window interval)
returns timestamptz
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_now timestamptz := app.now();
  v_share interval := app.meter_share(p_limit, p_window);
begin
  if p_subject is null or p_limit is null then
    return null;
  end if;
  insert into app.rate_meters as m (kind, subject, empty_at, used_at)
  values (p_kind, p_subject, v_now + v_share, v_now)
  on conflict (kind, subject) do update
    set empty_at = greatest(m.empty_at, v_now) + v_share, used_at = greatest(m.used_at, v_now)
    where m.empty_at + v_share <= greatest(m.used_at, v_now) + p_window;
  if found then
    return null;
  end if;
  return app.meter_opens_at(p_kind, p_subject, p_limit, p_window);
end
$$;
comment on function app.use_meter(text, text, integer, interval) is 'Uses one of p_limit in p_window: p_limit at once, then one each share of it. Null where it was free, or where p_subject or p_limit is null, for whom nothing is limited; else nothing is used, and it answers when the next one is.';

revoke all on function app.use_meter(text, text, integer, interval) from public;
