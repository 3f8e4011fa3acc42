create view staff.report_queue with (security_invoker = true) as
select
  min(r.id::text)::uuid as report_id, r.target_kind, r.target_id, r.target_name, r.author_id, r.content,
  count(*) as report_count, array_agg(distinct r.reason) as reasons,
  coalesce((array_agg(r.details order by r.id desc) filter (where r.details is not null))[:5], '{}') as remarks,
  min(r.created_at) as first_reported_at, max(r.created_at) as last_reported_at,
  staff.claimed_by(r.target_id) as claimed_by
from staff.reports as r
where r.state = 'open'
group by r.target_kind, r.target_id, r.target_name, r.author_id, r.content;
comment on view staff.report_queue is 'What staff has to decide about: one row for all open reports of one thing, by the first of which it goes (report_id), what the last reporters wrote, and who has claimed it.';

grant select on staff.report_queue to staff_moderator;
