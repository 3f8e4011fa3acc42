create policy decisions_select on app.decisions for select to authenticated
using (id in (select own.decision_id from app.decision_subjects as own where own.user_id = (select app.user_id())));

create policy decision_subjects_select on app.decision_subjects for select to authenticated
using (user_id = (select app.user_id()));

create policy appeals_select on app.appeals for select to authenticated
using (decision_id in (select own.decision_id from app.decision_subjects as own where own.user_id = (select app.user_id())));

create policy appeals_insert on app.appeals for insert to authenticated
with check (
  user_id = (select app.user_id())
  and decision_id in (select own.decision_id from app.decision_subjects as own where own.user_id = (select app.user_id()))
);
