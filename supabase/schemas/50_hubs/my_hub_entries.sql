create view app.my_hub_entries with (security_invoker = true) as
select 1 as tier, h.last_activity_at as at, mine.hub_id, ('member', mine.role, null, null)::app.hub_standing as standing
from app.my_hubs as mine
join app.hubs as h on h.id = mine.hub_id
union all
select 2, r.created_at, r.hub_id, ('pending_admin_approval', null, null, r.id)::app.hub_standing
from app.join_requests as r
where r.user_id = (select app.user_id()) and r.state = 'pending_admin_approval'
union all
select distinct on (i.hub_id) 3, i.invited_at, i.hub_id, ('invited', null, i.invitation_id, null)::app.hub_standing
from app.my_invitations as i
where i.hub_id not in (select mine.hub_id from app.my_hubs as mine)
  and i.hub_id not in (
    select r.hub_id from app.join_requests as r where r.user_id = (select app.user_id()) and r.state = 'pending_admin_approval'
  )
order by 3, 2 desc;
comment on view app.my_hub_entries is 'Every Hub that is anything to the caller, once: member (tier 1), asking (2) or invited (3), since or last active when, and what they are to it as app.standing_in says.';

grant select on app.my_hub_entries to authenticated;
