create function app.level_of(p_user_id uuid)
returns integer
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if p_user_id is null then
    return 0;
  end if;
  return coalesce((select l.level from app.user_levels as l where l.user_id = p_user_id), 0);
end
$$;
comment on function app.level_of(uuid) is 'The level of a user, 1 to 4 (contract.md 2); 0 for a guest (null) and an ended account.';

revoke all on function app.level_of(uuid) from public;
grant execute on function app.level_of(uuid) to anon, authenticated;
