create view app.estranged with (security_invoker = true) as
select e.other_id as user_id, e.since
from app.estrangements as e
where e.user_id = (select app.user_id());
comment on view app.estranged is 'Everybody between whom and the caller stands a block, whoever made it, and since when: neither sees what the other writes or does (contract.md 6, "Block"). Every policy about that asks here.';

grant select on app.estranged to anon, authenticated;
