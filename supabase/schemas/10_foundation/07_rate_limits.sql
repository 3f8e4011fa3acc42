-- Each use adds its share of the window, and time drains it: the whole limit is free again at empty_at.
create table app.rate_limits (
  kind text not null,
  subject text not null,
  empty_at timestamptz not null,
  used_at timestamptz not null,
  constraint rate_limits_pkey primary key (subject, kind)
)
-- Free space, and no index on a column that a use changes, so that the update of a row stays on its page
-- (HOT).
with (fillfactor = 50);
comment on table app.rate_limits is
  'One row per rate limit in use (a leaky bucket), in the database because it holds for all processes together.';
comment on column app.rate_limits.subject is
  'The owner of the limit: the id of a user or a session, the keyed hash of an address, or empty for the whole '
  'service.';
comment on column app.rate_limits.used_at is
  'Latest time of a use. A use that began earlier and waited for the row counts as of this time.';
alter table app.rate_limits enable row level security;
grant maintain on app.rate_limits to opine_worker;

-- p_grain is how exactly the row dates uses.
--
-- Returns null if a use was free, or if p_subject or p_limit is null (no limit); else consumes nothing and
-- returns when the next use is free.
create function app.consume_rate_limit(
  p_kind text, p_subject text, p_limit integer, p_window interval, p_grain interval default '1 microsecond'
) returns timestamptz
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := date_bin(p_grain, app.now(), 'epoch');
  v_share interval := app.rate_limit_cost(p_limit, p_window);
begin
  if p_subject is null or p_limit is null then
    return null;
  end if;
  insert into app.rate_limits as m (kind, subject, empty_at, used_at)
  values (p_kind, p_subject, v_now + v_share, v_now)
  on conflict (kind, subject) do update
    set empty_at = greatest(m.empty_at, v_now) + v_share, used_at = greatest(m.used_at, v_now)
    where m.empty_at + v_share <= greatest(m.used_at, v_now) + p_window;
  if found then
    return null;
  end if;
  return (
    select date_bin(p_grain, m.empty_at + v_share - p_window + p_grain - interval '1 microsecond', 'epoch')
    from app.rate_limits as m
    where m.kind = p_kind and m.subject = p_subject
  );
end
$$;
comment on function app.consume_rate_limit is
  'Consumes one of p_limit uses in p_window: all pass at once, then one for each share of the window.';

create function app.rate_limit_cost(p_limit integer, p_window interval) returns interval language sql immutable
return interval '1 microsecond' * ((extract(epoch from p_window) * 1000000)::bigint / p_limit);
comment on function app.rate_limit_cost is
  'Returns the share of p_window that one of p_limit uses takes, rounded down so that all fit.';

create function app.rate_limit_opens_at(p_kind text, p_subject text, p_limit integer, p_window interval)
returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return (
    select opening.at
    from app.rate_limits as m
    cross join lateral (select m.empty_at + app.rate_limit_cost(p_limit, p_window) - p_window as at) as opening
    where m.kind = p_kind and m.subject = p_subject and opening.at > app.now()
  );
end
$$;
comment on function app.rate_limit_opens_at is
  'Returns when the limit of p_limit uses in p_window lets the next use pass; null for now, or if p_limit is null.';

-- Errors: RATE_LIMITED, with retryAfterSeconds, if none is free.
create function app.require_rate_limit(
  p_kind text, p_subject text, p_limit integer, p_window interval, p_grain interval default '1 microsecond'
) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.refuse_until(app.consume_rate_limit(p_kind, p_subject, p_limit, p_window, p_grain));
end
$$;
comment on function app.require_rate_limit is 'Consumes a use as app.consume_rate_limit does.';

create function app.refuse_until(p_opens_at timestamptz) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_opens_at is not null then
    raise exception using errcode = 'PT429', message = 'RATE_LIMITED', detail = app.retry_after(p_opens_at)::text;
  end if;
end
$$;
comment on function app.refuse_until is 'Raises RATE_LIMITED, with retryAfterSeconds, unless p_opens_at is null.';

create function app.return_use(p_kind text, p_subject text, p_limit integer, p_window interval) returns void
language plpgsql set search_path = '' as $$
begin
  update app.rate_limits as m
  set empty_at = m.empty_at - app.rate_limit_cost(p_limit, p_window)
  where m.kind = p_kind and m.subject = p_subject;
end
$$;
comment on function app.return_use is
  'Gives back a use that app.consume_rate_limit consumed; nothing if p_subject or p_limit is null.';

create function app.usage_limit(p_kind text) returns integer language sql immutable
return case p_kind
  when 'posts' then 60
  when 'comments' then 240
  when 'follows' then 240
  when 'shares' then 120
  when 'hubs' then 20
  when 'reports' then 60
  when 'votes' then 1200
  when 'searches' then 1200
  when 'joinRequests' then 20
  when 'roleChanges' then 60
end;
comment on function app.usage_limit is
  'Returns how often a person may do something in an hour, or create Hubs, report and ask to join Hubs in a day '
  '(docs/product.md A1), unless the setting opine.limits says otherwise: gateway.call sets it to the configuration of '
  'the service.';

create function app.retry_after(p_until timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('retryAfterSeconds', greatest(1, ceil(extract(epoch from p_until - app.now()))::integer));
end
$$;
comment on function app.retry_after is
  'Returns the details of a RATE_LIMITED error that ends at p_until: whole seconds, at least one.';

create function app.prune_rate_limits() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.rate_limits
  where (kind, subject) in (
    -- A concurrent use has locked its row and refilled it.
    select m.kind, m.subject from app.rate_limits as m where m.empty_at <= app.now() for update skip locked
  );
end;
comment on function app.prune_rate_limits is 'Upkeep: deletes drained rows, which are equivalent to none.';
grant execute on function app.prune_rate_limits to opine_worker;
