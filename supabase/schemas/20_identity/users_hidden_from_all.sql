create view app.users_hidden_from_all with (security_invoker = true) as
select d.user_id, d.departed_at as since
from app.departures as d
union all
select s.user_id, s.suspended_at
from app.suspensions as s;
comment on view app.users_hidden_from_all is 'People hidden from everybody, and since when: suspended by staff, or deleted and not yet erased. Lists leave them out; what remains of them elsewhere shows no id and no name. Unlike app.hidden_users it needs no caller, so the worker can ask it for any recipient.';

grant select on app.users_hidden_from_all to anon, authenticated;
