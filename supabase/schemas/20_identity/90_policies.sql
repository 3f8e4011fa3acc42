create policy users_select on app.users for select to authenticated
using (id = (select app.user_id()));

create policy users_update on app.users for update to authenticated
using (id = (select app.user_id()))
with check (id = (select app.user_id()));

create policy sessions_select on app.sessions for select to authenticated
using (user_id = (select app.user_id()));

create policy sessions_delete on app.sessions for delete to authenticated
using (user_id = (select app.user_id()));

create policy contacts_select on app.contacts for select to authenticated
using (user_id = (select app.user_id()));

create policy contacts_insert on app.contacts for insert to authenticated
with check (user_id = (select app.user_id()));

create policy contact_snapshots_select on app.contact_snapshots for select to authenticated
using (user_id = (select app.user_id()));

create policy contact_snapshots_insert on app.contact_snapshots for insert to authenticated
with check (user_id = (select app.user_id()));

create policy contact_snapshots_update on app.contact_snapshots for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()));

create policy account_deletions_select on app.account_deletions for select to anon, authenticated using (true);

create policy suspensions_select on app.suspensions for select to anon, authenticated using (true);
