create view app.inbox_scopes as
select u.id as user_id, 'everybody'::app.audience as audience, u.id as scope_id
from app.users as u
where u.ended_at is null
union all
select l.user_id, 'hub_ready', l.user_id
from app.user_levels as l
where l.level = 4
union all
select l.user_id, 'target_member', l.user_id
from app.user_levels as l
where l.level = 4
union all
select l.user_id, 'hub_member', m.hub_id
from app.user_levels as l
join app.memberships as m on m.user_id = l.user_id
where l.level = 4;
comment on view app.inbox_scopes is 'Which notifications people may see, as what they are at the moment (spec.md "Visibility and mute"): a row for each scope.';
