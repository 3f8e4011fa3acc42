create function app.require_person(p_user_id uuid)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if not exists (select from app.profiles as p where p.user_id = p_user_id) then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  return p_user_id;
end
$$;
comment on function app.require_person(uuid) is 'Lets a registered person pass, and answers them, whom the caller may see. Raises USER_NOT_FOUND.';

revoke all on function app.require_person(uuid) from public;
grant execute on function app.require_person(uuid) to anon, authenticated;
