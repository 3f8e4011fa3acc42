create function staff.phone_hint(p_user_id uuid)
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (select left(u.phone, 3) || '…' || right(u.phone, 2) from app.users as u where u.id = p_user_id);
end
$$;
comment on function staff.phone_hint(uuid) is 'The first digits and the last two of an account''s phone, enough to know it by for whoever has been told it; null where there is none.';

revoke all on function staff.phone_hint(uuid) from public;
grant execute on function staff.phone_hint(uuid) to staff_support;
