create view app.strangers with (security_invoker = true) as
select e.user_id, e.since
from app.estranged as e
union all
select d.user_id, d.departed_at
from app.departures as d;
comment on view app.strangers is 'Whose words and deeds the caller sees nothing of, and since when: everybody from whom a block keeps them, and those whose account has ended and is not removed yet.';

grant select on app.strangers to anon, authenticated;
