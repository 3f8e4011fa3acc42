create function app.end_user(p_user_id uuid, p_merged_into uuid default null) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.erase_person(p_user_id);
  insert into app.account_deletions (user_id, merged_into_id)
  values (p_user_id, p_merged_into)
  on conflict (user_id) do nothing;
end
$$;
comment on function app.end_user is 'Ends an account at once and queues the rest for the worker. Args: p_merged_into (the account into which it is merged, or null).';
