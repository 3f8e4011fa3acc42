create view app.my_hub_entries with (security_invoker = true) as
select 1 as tier, h.last_activity_at as at, mine.hub_id, ('member', mine.role, null, null)::app.hub_standing as standing
from app.my_hubs as mine
join app.hubs as h on h.id = mine.hub_id
union all
select 2, r.created_at, r.hub_id, ('pending_admin_approval', null, null, r.id)::app.hub_standing
from app.join_requests as r
join app.hubs as h on h.id = r.hub_id
where r.user_id = (select app.user_id()) and r.state = 'pending_admin_approval'
union all
select 3, i.invited_at, i.hub_id, ('invited', null, i.invitation_id, null)::app.hub_standing
from (
  select distinct on (every.hub_id) every.*
  from app.my_invitations as every
  where every.state = 'pending'
  order by every.hub_id, every.invited_at desc, every.invitation_id desc
) as i
join app.hubs as h on h.id = i.hub_id
where i.hub_id not in (select mine.hub_id from app.my_hubs as mine)
  and i.hub_id not in (
    select r.hub_id from app.join_requests as r where r.user_id = (select app.user_id()) and r.state = 'pending_admin_approval'
  );
comment on view app.my_hub_entries is 'Every Hub that is anything to the caller, once: member (tier 1), asking (2) or invited (3), since or last active when, and what they are to it; the first that applies of member, asking and invited.';

grant select on app.my_hub_entries to authenticated;
