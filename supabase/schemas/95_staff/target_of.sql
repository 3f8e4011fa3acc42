create function staff.target_of(p_report staff.reports)
returns jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('targetKind', p_report.target_kind, 'targetId', p_report.target_id);
end;
comment on function staff.target_of(staff.reports) is 'What a report is of, as the audit log has it.';

revoke all on function staff.target_of(staff.reports) from public;
