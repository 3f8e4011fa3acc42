create function app.meter_opens_at(p_kind text, p_subject text, p_limit integer, p_window interval)
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select opening.at
    from app.rate_meters as m
    cross join lateral (select m.empty_at + app.meter_share(p_limit, p_window) - p_window as at) as opening
    where m.kind = p_kind and m.subject = p_subject and opening.at > app.now()
  );
end
$$;
comment on function app.meter_opens_at(text, text, integer, interval) is 'When the limit of p_limit uses in p_window lets the next one pass; null where that is now, or where p_limit is null.';

revoke all on function app.meter_opens_at(text, text, integer, interval) from public;
