create view app.estranged with (security_invoker = true) as
select b.user_id
from app.blockers as b
union all
select b.blocked_id
from app.blocks as b
where b.blocker_id = (select app.user_id());
comment on view app.estranged is 'Everybody between whom and the caller stands a block, whoever made it: neither sees what the other writes or does (contract.md 6, "Block"). Every policy about that asks here.';

grant select on app.estranged to anon, authenticated;
