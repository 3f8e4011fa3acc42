create policy device_tokens_select on app.device_tokens for select to authenticated
using (user_id = (select app.user_id()));

create policy device_tokens_delete on app.device_tokens for delete to authenticated
using (user_id = (select app.user_id()));
