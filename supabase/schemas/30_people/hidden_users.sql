create view app.hidden_users with (security_invoker = true) as
select b.user_id, b.since
from app.blocked_users as b
union all
select h.user_id, h.since
from app.users_hidden_from_all as h;
comment on view app.hidden_users is 'People whose words and activity the caller must not see, and since when: those hidden from everybody, and those blocked by or blocking the caller. Policies and lists ask this view.';

grant select on app.hidden_users to anon, authenticated;
