create policy uploads_select on app.uploads for select to authenticated
using (owner_id = (select app.user_id()));

create policy uploads_insert on app.uploads for insert to authenticated
with check (owner_id = (select app.user_id()));
