-- One row per report, with the evidence of its target: staff reads no live text of comments, messages and Hub
-- profiles (docs/product.md S5).
--
-- author_id stays known while the content is there, also when the evidence is pruned. is_gone says that
-- nothing is left to remove, is_author_gone that nobody is left to suspend.
create view staff.reports with (security_invoker = true) as
select
  r.id, r.state, r.reason, r.details, r.created_at, r.reporter_id,
  r.is_by_service,
  app.kind_of(r) as target_kind,
  r.target_id,
  author.id as author_id,
  e.name as target_name,
  coalesce(e.content, '') as content,
  case app.kind_of(r)
    when 'user' then author.ended_at is not null
    when 'hub' then h.closed_at is not null or h.id is null
    when 'post' then p.removed_at is not null or p.id is null
    when 'comment' then c.author_id is null
    else coalesce(m.is_deleted, true)
  end as is_gone,
  author.ended_at is not null or author.id is null as is_author_gone
from app.reports as r
left join app.evidence as e on e.report_id = r.id
left join app.posts as p on p.id = r.post_id
left join app.comments as c on c.id = r.comment_id
left join app.messages as m on m.id = r.message_id
left join app.hubs as h on h.id = r.hub_id
left join app.users as author on author.id = coalesce(e.author_id, r.user_id, p.author_id, c.author_id, m.author_id);
comment on view staff.reports is 'One row per report, with what was reported as it was then (docs/product.md S5, S25).';
grant select on staff.reports to staff_moderator;

create function staff.requested_page(
  p_name text, p_args jsonb, out list text, out at timestamptz, out id uuid, out size integer
) returns record
language plpgsql stable security definer set search_path = '' as $$
declare
  v_from app.list_entry;
begin
  list := app.list_of(p_name, p_args);
  v_from := app.decode_cursor(list, p_args ->> 'cursor', p_is_oldest_first => true);
  at := v_from.at;
  id := v_from.id;
  size := app.page_size(p_args, 30, 100);
end
$$;
comment on function staff.requested_page is
  'Returns the list (app.list_of), the entry before a page of staff, and its size, oldest first.';
grant execute on function staff.requested_page to staff_moderator;

-- Args: p_id (of staff.requested_page, which begins before the oldest entry without a cursor).
create function staff.id_before(p_id uuid) returns uuid language sql immutable
return coalesce(
  nullif(p_id, '00000000-0000-0000-0000-000000000000'::uuid), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
);
comment on function staff.id_before is 'Returns the id before which a page of a list of staff begins, newest first.';
grant execute on function staff.id_before to staff_moderator;

-- Errors: REPORT_NOT_FOUND, REPORT_CLAIMED.
create function staff.claim_report(p_report_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
begin
  insert into staff.claims (target_id, claimed_by) values (v_report.target_id, staff.actor())
  on conflict (target_id) do update set claimed_by = excluded.claimed_by, claimed_at = app.now();
  perform staff.audit(staff.actor(), 'claim_report', staff.target_of(v_report));
end
$$;
comment on function staff.claim_report is
  'Claims a report, and all others of its target, for the current member of staff, for an hour.';
grant execute on function staff.claim_report to staff_moderator;

-- Runs staff.claim_report.
--
-- Args: reportId. Returns {}.
create function api.claim_report(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.claim_report(($1 ->> 'reportId')::uuid);
  select '{}'::jsonb;
end;
comment on function api.claim_report is 'POST /admin/reports/{reportId}/claim (docs/product.md S9).';
grant execute on function api.claim_report to staff_moderator;

create function staff.claimed_by(p_target_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select c.claimed_by
    from staff.claims as c
    where c.target_id = p_target_id and c.claimed_at > app.now() - interval '1 hour'
  );
end
$$;
comment on function staff.claimed_by is
  'Returns the member of staff who claimed a target within the last hour, or null.';
grant execute on function staff.claimed_by to staff_moderator;

-- One row per target with open reports, which share a claim and a decision (docs/product.md S9).
--
-- report_id is the first report, which names the row. content has each version that was reported, in the
-- order of the reports; remarks are of the last reporters.
create view staff.report_queue with (security_invoker = true) as
select
  min(r.id::text)::uuid as report_id, r.target_kind, r.target_id,
  (array_agg(r.target_name order by r.id desc) filter (where r.target_name is not null))[1] as target_name,
  (array_agg(r.author_id order by r.id desc) filter (where r.author_id is not null))[1] as author_id,
  coalesce(
    string_agg(r.content, e'\n\n' order by r.id) filter (where r.repetition = 1 and r.content <> ''), ''
  ) as content,
  bool_and(r.is_gone) as is_gone, bool_and(r.is_author_gone) as is_author_gone,
  count(*) as report_count, array_agg(distinct r.reason) as reasons,
  coalesce((array_agg(r.details order by r.id desc) filter (where r.details is not null))[:5], '{}') as remarks,
  min(r.created_at) as first_reported_at, max(r.created_at) as last_reported_at,
  bool_or(r.is_by_service) as is_by_service, staff.claimed_by(r.target_id) as claimed_by
from (
  select report.*, row_number() over (partition by report.target_id, report.content order by report.id) as repetition
  from staff.reports as report
  where report.state = 'open'
) as r
group by r.target_kind, r.target_id;
comment on view staff.report_queue is 'One row per target with open reports (docs/product.md S9).';
grant select on staff.report_queue to staff_moderator;

-- Lists staff.report_queue, oldest first.
--
-- Args: kind and reason (optional filters), cursor, limit. Returns items and nextCursor.
create function api.list_reports(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  with found as (
    select q.*, requested.list, requested.size, row_number() over (order by q.first_reported_at, q.report_id) as place
    from staff.requested_page('list_reports', $1) as requested
    join staff.report_queue as q on (q.first_reported_at, q.report_id) > (requested.at, requested.id)
    where q.target_kind::text = coalesce($1 ->> 'kind', q.target_kind::text)
      and ($1 ->> 'reason' is null or $1 ->> 'reason' = any (q.reasons::text[]))
    order by q.first_reported_at, q.report_id
    limit (select requested.size + 1 from staff.requested_page('list_reports', $1) as requested)
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'reportId', f.report_id,
      'target', jsonb_build_object('kind', f.target_kind, 'id', f.target_id, 'name', f.target_name),
      'authorId', f.author_id,
      'content', f.content,
      'isGone', f.is_gone,
      'isAuthorGone', f.is_author_gone,
      'reportCount', f.report_count,
      'reasons', to_jsonb(f.reasons),
      'remarks', to_jsonb(f.remarks),
      'firstReportedAt', app.iso(f.first_reported_at),
      'lastReportedAt', app.iso(f.last_reported_at),
      'isByService', f.is_by_service,
      'claimedBy', f.claimed_by
    ) order by f.place) filter (where f.place <= f.size), '[]'),
    'nextCursor', case when bool_or(f.place > f.size) then
      min(app.encode_cursor(f.list, f.first_reported_at, f.report_id)) filter (where f.place = f.size)
    end
  )
  from found as f;
end;
comment on function api.list_reports is 'GET /admin/reports (docs/product.md S9).';
grant execute on function api.list_reports to staff_moderator;

-- Lists closed reports, the newest first.
--
-- It reads ids from the end of the primary key. Args: cursor, limit. Returns items and nextCursor.
create function api.list_closed_reports(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  with requested as materialized (
    select r.list, r.size, staff.id_before(r.id) as id
    from staff.requested_page('list_closed_reports', $1) as r
  ),
  found as (
    select r.*, e.closed_at, row_number() over (order by r.id desc) as place
    from staff.reports as r
    left join app.evidence as e on e.report_id = r.id
    where r.state <> 'open' and r.id < (select q.id from requested as q)
    order by r.id desc
    limit (select q.size + 1 from requested as q)
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'reportId', f.id,
      'target', jsonb_build_object('kind', f.target_kind, 'id', f.target_id, 'name', f.target_name),
      'authorId', f.author_id,
      'content', f.content,
      'reason', f.reason,
      'details', f.details,
      'state', f.state,
      'createdAt', app.iso(f.created_at),
      'closedAt', app.iso(f.closed_at)
    ) order by f.place) filter (where f.place <= q.size), '[]'),
    'nextCursor', case when bool_or(f.place > q.size) then
      min(app.encode_cursor(q.list, f.created_at, f.id)) filter (where f.place = q.size)
    end
  )
  from requested as q
  left join found as f on true;
end;
comment on function api.list_closed_reports is 'GET /admin/closed-reports (docs/product.md S9).';
grant execute on function api.list_closed_reports to staff_moderator;

-- Errors: REPORT_NOT_FOUND, REPORT_CLAIMED (by another member of staff).
create function staff.release_report(p_report_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
begin
  delete from staff.claims as c where c.target_id = v_report.target_id;
  if found then
    perform staff.audit(staff.actor(), 'release_report', staff.target_of(v_report));
  end if;
end
$$;
comment on function staff.release_report is 'Releases the claim on a report and all others of its target.';
grant execute on function staff.release_report to staff_moderator;

-- Runs staff.release_report.
--
-- Args: reportId. Returns {}.
create function api.release_report(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.release_report(($1 ->> 'reportId')::uuid);
  select '{}'::jsonb;
end;
comment on function api.release_report is 'POST /admin/reports/{reportId}/release (docs/product.md S9).';
grant execute on function api.release_report to staff_moderator;

-- Errors: REPORT_NOT_FOUND, REPORT_CLAIMED, REASON_MISSING.
create function staff.dismiss_report(p_report_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
begin
  perform staff.record(
    'dismiss_report', p_reason,
    staff.target_of(v_report) || jsonb_build_object(
      'reportIds', staff.close_reports_of(array[v_report.target_id], 'dismissed')
    )
  );
end
$$;
comment on function staff.dismiss_report is 'Closes a report, and all others of its target, without another action.';
grant execute on function staff.dismiss_report to staff_moderator;

-- Runs staff.dismiss_report.
--
-- Args: reportId, reason. Returns {}.
create function api.dismiss_report(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.dismiss_report(($1 ->> 'reportId')::uuid, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.dismiss_report is 'POST /admin/reports/{reportId}/dismiss (docs/product.md S9, S10).';
grant execute on function api.dismiss_report to staff_moderator;

-- Errors: REPORT_NOT_FOUND, REPORT_CLAIMED (by another member of staff).
create function staff.lock_report(p_report_id uuid) returns staff.reports
language plpgsql set search_path = '' as $$
declare
  v_report staff.reports;
begin
  select * into v_report from staff.reports as r where r.id = p_report_id and r.state = 'open';
  if v_report.id is null then
    raise exception using errcode = 'PT404', message = 'REPORT_NOT_FOUND';
  end if;
  perform staff.lock_reports_of(array[v_report.target_id]);
  if not exists (select from app.reports as r where r.id = p_report_id and r.state = 'open') then
    raise exception using errcode = 'PT404', message = 'REPORT_NOT_FOUND';
  end if;
  if staff.claimed_by(v_report.target_id) <> staff.actor() then
    raise exception using errcode = 'PT409', message = 'REPORT_CLAIMED';
  end if;
  return v_report;
end
$$;
comment on function staff.lock_report is
  'Returns an open report, and locks its target against decisions of other staff until the transaction ends.';

create function staff.lock_reports_of(p_target_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(locks.key)
  from (
    select distinct hashtextextended('report of ' || target.id, 0) as key
    from unnest(p_target_ids) as target (id)
    order by 1
  ) as locks;
end
$$;
comment on function staff.lock_reports_of is
  'Locks the reports of targets, until the transaction ends, against claims and decisions of other staff.';

-- Closes all open reports of targets after a decision, and deletes the claims, also those of other members of
-- staff. Args: p_state (actioned or dismissed). Returns the ids of the closed reports.
create function staff.close_reports_of(p_target_ids uuid[], p_state app.report_state) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  v_report_ids uuid[];
begin
  perform staff.lock_reports_of(p_target_ids);
  with closed as (
    update app.reports as r
    set state = p_state
    where r.target_id = any (p_target_ids) and r.state = 'open'
    returning r.id
  )
  select coalesce(array_agg(c.id order by c.id), '{}') into v_report_ids from closed as c;
  delete from staff.claims as c where c.target_id = any (p_target_ids);
  return v_report_ids;
end
$$;
comment on function staff.close_reports_of is
  'Closes the open reports of targets after a decision (docs/product.md S9).';

create function staff.target_of(p_report staff.reports) returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('targetKind', p_report.target_kind, 'targetId', p_report.target_id);
end;
comment on function staff.target_of is 'Returns the target of a report as details for the audit log.';
