create function staff.remove_content(p_report_id uuid, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
  v_was_there boolean;
begin
  case v_report.target_kind
    when 'post' then v_was_there := app.erase_post(v_report.target_id);
    when 'comment' then v_was_there := app.erase_comment(v_report.target_id);
    when 'message' then v_was_there := staff.erase_message(v_report.target_id);
    else
      raise exception using errcode = 'PT409', message = 'REPORT_NOT_OF_CONTENT';
  end case;
  perform staff.settle_reports(v_report, 'remove_content', p_reason, jsonb_build_object('wasThere', v_was_there));
end
$$;
comment on function staff.remove_content(uuid, text) is 'Removes the post, comment or message of a report, and closes all reports of it; where that is gone already, the audit log says so (wasThere). A message stays as an empty one, in its thread. Raises REPORT_NOT_FOUND, REPORT_CLAIMED, REASON_MISSING, and REPORT_NOT_OF_CONTENT for one of a person or a Hub, which can be suspended.';

revoke all on function staff.remove_content(uuid, text) from public;
grant execute on function staff.remove_content(uuid, text) to staff_moderator;
