-- Ends an account at once, and queues the rest for the worker. Rooms above erase and move what they hold
-- (app.begin_account_deletion), before the row is there.
create function app.end_user(p_user_id uuid, p_merged_into uuid default null) returns void
language sql set search_path = ''
begin atomic
  insert into app.account_deletions (user_id, merged_into_id)
  values (p_user_id, p_merged_into)
  on conflict (user_id) do nothing;
end;
comment on function app.end_user is
  'Ends an account (docs/product.md I16-I19). Args: p_merged_into (the account that gets its data, or null).';
