create view app.strangers with (security_invoker = true) as
select e.user_id, e.since
from app.estranged as e
union all
select d.user_id, d.departed_at
from app.departures as d
union all
select s.user_id, s.suspended_at
from app.suspensions as s;
comment on view app.strangers is 'Whose words and deeds the caller sees nothing of, and since when: everybody from whom a block keeps them, those whose account has ended and is not removed yet, and those whom staff has suspended.';

grant select on app.strangers to anon, authenticated;
