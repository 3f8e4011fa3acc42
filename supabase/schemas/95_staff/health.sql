create function staff.health()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_backlog record := app.backlog();
begin
  return jsonb_build_object(
    'outboxCount', v_backlog.outbox_count,
    'outboxAgeSeconds', floor(v_backlog.outbox_age_seconds),
    'pushCount', v_backlog.push_count,
    'deadLetterCount', v_backlog.dead_letter_count,
    'unfoldedVoteAgeMinutes', floor(v_backlog.vote_age_seconds / 60),
    'departureCount', v_backlog.departure_count,
    'openReportCount', (select count(*) from app.reports as r where r.state = 'open')
  );
end
$$;
comment on function staff.health() is 'How the work that waits for workers and for staff stands: of app.backlog what people can do something about, of votes no more than whole minutes; and how many reports are open.';

revoke all on function staff.health() from public;
grant execute on function staff.health() to staff_support;
