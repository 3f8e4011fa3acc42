-- Apart from its table, since memberships refer to Hubs and this policy refers to memberships.
create policy hubs_update on app.hubs for update to authenticated
using (id in (select mine.hub_id from app.my_hubs as mine where mine.role = 'admin'))
with check (id in (select mine.hub_id from app.my_hubs as mine where mine.role = 'admin'));
