create policy vote_receipts_select on app.vote_receipts for select to authenticated
using (user_id = (select app.user_id()));
