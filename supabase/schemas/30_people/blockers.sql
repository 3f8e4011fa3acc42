create view app.blockers with (security_invoker = true) as
select b.blocker_id as user_id, b.created_at as since
from app.blocks as b
where b.blocked_id = (select app.user_id());
comment on view app.blockers is 'Who has blocked the caller: for them these people are not there (contract.md 6, "Block"). A view, which becomes part of the policies that ask it: a function would be called by each.';

grant select on app.blockers to anon, authenticated;
