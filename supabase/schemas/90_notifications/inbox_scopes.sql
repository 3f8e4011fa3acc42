create view app.inbox_scopes as
select u.id as user_id, 'everybody'::app.audience as audience, u.id as scope_id
from app.users as u
where u.ended_at is null
union all
select u.id, 'hub_ready', u.id
from app.users as u
where app.level_of(u.id) = 4
union all
select u.id, 'target_member', u.id
from app.users as u
where app.level_of(u.id) = 4
union all
select u.id, 'hub_member', m.hub_id
from app.users as u
join app.memberships as m on m.user_id = u.id
-- Asked once a person, and not once a membership.
where app.level_of(u.id) = 4;
comment on view app.inbox_scopes is 'Which notifications people may see, as what they are at the moment (spec.md "Visibility and mute"): a row for each scope.';
