create view app.blocked_users with (security_invoker = true) as
select b.other_id as user_id, b.since
from app.blocked_pairs as b
where b.user_id = (select app.user_id());
comment on view app.blocked_users is 'People on the other side of a block with the caller, whoever of them blocked, and since when.';

grant select on app.blocked_users to anon, authenticated;
