create view app.blocked_pairs with (security_invoker = true) as
select b.blocked_id as user_id, b.blocker_id as other_id, b.created_at as since
from app.blocks as b
union all
select b.blocker_id, b.blocked_id, b.created_at
from app.blocks as b;
comment on view app.blocked_pairs is 'Every block from both of its sides: user_id and other_id see nothing of each other, whoever of them blocked. since: when the block was made.';

grant select on app.blocked_pairs to anon, authenticated;
