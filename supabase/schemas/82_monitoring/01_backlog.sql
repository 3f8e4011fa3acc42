create function app.backlog(
  out outbox_count bigint, out outbox_age_seconds double precision,
  out push_count bigint, out push_age_seconds double precision,
  out dead_letter_count bigint, out fan_out_count bigint, out account_deletion_count bigint,
  out vote_age_seconds double precision, out inbox_change_count bigint
) returns record
language plpgsql stable security definer set search_path = ''
-- Forces index scans for any statistics: each count then ends at its limit, and each age is one lookup.
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_most integer := 100000;
  v_now timestamptz := app.now();
  v_due_at timestamptz;
begin
  select count(*), min(o.due_at) into outbox_count, v_due_at
  from (select due_at from app.outbox order by notification_id limit v_most) as o;
  select count(*) into push_count from (select from app.pushes limit v_most) as p;
  select count(*) into dead_letter_count from (select from app.dead_letters limit v_most) as d;
  select count(distinct f.event_id)
  into fan_out_count
  from (select waiting.event_id from app.fan_outs as waiting limit v_most) as f;
  select count(*) into account_deletion_count from (select from app.account_deletions limit v_most) as d;
  select count(*)
  into inbox_change_count
  from (select from app.inbox_counts as c where not c.is_folded limit v_most) as c;
  outbox_age_seconds := extract(epoch from v_now - v_due_at)::double precision;
  push_age_seconds := extract(epoch from v_now - least(
    (
      select p.due_at from app.pushes as p order by p.due_at limit 1
    ), (select min(l.lapses_at) from app.push_leases as l)
  ))::double precision;
  -- Rounded, so that metrics do not reveal when a person voted.
  vote_age_seconds := (10 * floor(extract(epoch from v_now - least(
    (select v.cast_at from app.fresh_votes as v where (v.hub_count > 200) order by v.cast_at limit 1),
    (select v.cast_at from app.fresh_votes as v where not (v.hub_count > 200) order by v.cast_at limit 1)
  )) / 10))::double precision;
  outbox_age_seconds := greatest(0, coalesce(outbox_age_seconds, 0));
  push_age_seconds := greatest(0, coalesce(push_age_seconds, 0));
  vote_age_seconds := greatest(0, coalesce(vote_age_seconds, 0));
end
$$;
comment on function app.backlog is
  'Returns what waits for the worker, for its metrics: row counts up to 100,000, and the age of the oldest row in '
  'seconds: of the outbox and of pushes since they are due, of votes since they were cast, rounded down to ten '
  'seconds.';
grant execute on function app.backlog to opine_worker;
