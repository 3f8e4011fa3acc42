create view app.user_levels with (security_invoker = true) as
select
  u.id as user_id,
  case
    when not exists (select from app.profiles as p where p.user_id = u.id) then 1
    when u.phone is null or u.media_completed_at is null then 2
    when u.contacts_synced_at is null then 3
    else 4
  end as level
from app.users as u
where u.ended_at is null;
comment on view app.user_levels is 'The level of each user, 1 to 4, out of their row (contract.md 2).';

grant select on app.user_levels to authenticated;
