create policy reports_select on app.reports for select to authenticated
using (reporter_id = (select app.user_id()));

create policy reports_insert on app.reports for insert to authenticated
with check (reporter_id = (select app.user_id()));
