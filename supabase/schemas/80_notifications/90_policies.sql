create policy device_tokens_select on app.device_tokens for select to authenticated
using (user_id = (select app.user_id()));

create policy device_tokens_delete on app.device_tokens for delete to authenticated
using (user_id = (select app.user_id()));

create policy notification_preferences_select on app.notification_preferences for select to authenticated
using (user_id = (select app.user_id()));

create policy notification_preferences_insert on app.notification_preferences for insert to authenticated
with check (user_id = (select app.user_id()));

create policy notification_preferences_update on app.notification_preferences for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()));
