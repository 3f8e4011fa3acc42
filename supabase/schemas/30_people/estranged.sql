create view app.estranged with (security_invoker = true) as
select b.user_id, b.since
from app.blockers as b
union all
select b.blocked_id, b.created_at
from app.blocks as b
where b.blocker_id = (select app.user_id());
comment on view app.estranged is 'Everybody between whom and the caller stands a block, whoever made it, and since when: neither sees what the other writes or does (contract.md 6, "Block"). Every policy about that asks here.';

grant select on app.estranged to anon, authenticated;
