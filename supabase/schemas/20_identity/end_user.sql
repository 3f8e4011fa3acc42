create function app.end_user(p_user_id uuid, p_merged_into uuid default null)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform app.erase_person(p_user_id);
  insert into app.departures (user_id, merged_into_id)
  values (p_user_id, p_merged_into)
  on conflict (user_id) do nothing;
end
$$;
comment on function app.end_user(uuid, uuid) is 'Ends an account at once, and leaves to the worker what takes longer. p_merged_into: the account that it becomes part of, or null.';

revoke all on function app.end_user(uuid, uuid) from public;
