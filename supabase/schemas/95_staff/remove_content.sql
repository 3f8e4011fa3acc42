create function staff.remove_content(p_report_id uuid, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
begin
  case v_report.target_kind
    when 'post' then perform app.erase_post(v_report.target_id);
    when 'comment' then perform app.erase_comment(v_report.target_id);
    when 'message' then
      update app.messages as m set author_id = null, body = null, asset_id = null where m.id = v_report.target_id;
    else
      raise exception using errcode = 'PT409', message = 'REPORT_NOT_OF_CONTENT';
  end case;
  perform staff.settle_reports(v_report, 'remove_content', p_reason);
end
$$;
comment on function staff.remove_content(uuid, text) is 'Removes the post, comment or message of a report, and closes all reports of it. A message stays as an empty one, in its thread. Raises REPORT_NOT_FOUND, REPORT_CLAIMED, REASON_MISSING, and REPORT_NOT_OF_CONTENT for one of a person or a Hub, which can be suspended.';

revoke all on function staff.remove_content(uuid, text) from public;
grant execute on function staff.remove_content(uuid, text) to staff_moderator;
