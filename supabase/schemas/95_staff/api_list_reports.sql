create function api.list_reports(jsonb)
returns jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  with found as (
    select q.*, asked.size, row_number() over (order by q.first_reported_at, q.report_id) as place
    from staff.page_asked($1) as asked
    join staff.report_queue as q on (q.first_reported_at, q.report_id) > (asked.at, asked.id)
    order by q.first_reported_at, q.report_id
    limit (select asked.size + 1 from staff.page_asked($1) as asked)
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'reportId', f.report_id,
      'target', jsonb_build_object('kind', f.target_kind, 'id', f.target_id, 'name', f.target_name),
      'authorId', f.author_id,
      'content', f.content,
      'reportCount', f.report_count,
      'reasons', to_jsonb(f.reasons),
      'remarks', to_jsonb(f.remarks),
      'firstReportedAt', app.iso(f.first_reported_at),
      'lastReportedAt', app.iso(f.last_reported_at),
      'claimedBy', f.claimed_by
    ) order by f.place) filter (where f.place <= f.size), '[]'),
    'nextCursor', case when bool_or(f.place > f.size) then
      min(app.encode_cursor(f.first_reported_at, f.report_id)) filter (where f.place = f.size)
    end
  )
  from found as f;
end;
comment on function api.list_reports(jsonb) is 'GET /admin/reports: staff.report_queue as an operation. Takes cursor and limit; answers items, oldest first, and nextCursor. Raises UNAUTHORIZED and FORBIDDEN in the gateway, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_reports(jsonb) from public;
grant execute on function api.list_reports(jsonb) to staff_moderator;
