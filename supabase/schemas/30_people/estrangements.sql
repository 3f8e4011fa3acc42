create view app.estrangements with (security_invoker = true) as
select b.blocked_id as user_id, b.blocker_id as other_id, b.created_at as since
from app.blocks as b
union all
select b.blocker_id, b.blocked_id, b.created_at
from app.blocks as b;
comment on view app.estrangements is 'Between whom stands a block, whoever made it, from the sides of both, and since when (contract.md 6, "Block").';

grant select on app.estrangements to anon, authenticated;
