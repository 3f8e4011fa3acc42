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
  return coalesce((
    select case
      when not exists (select from app.profiles as p where p.user_id = u.id) then 1
      when u.phone is null or u.media_completed_at is null then 2
      when u.contacts_synced_at is null then 3
      else 4
    end
    from app.users as u
    where u.id = p_user_id and u.ended_at is null
  ), 0);
end
$$;
comment on function app.level_of(uuid) is 'The level of a user, 1 to 4, out of their row (contract.md 2); 0 for a guest (null) and an ended account.';

revoke all on function app.level_of(uuid) from public;
grant execute on function app.level_of(uuid) to anon, authenticated;
