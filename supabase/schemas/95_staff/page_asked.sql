create function staff.page_asked(p_args jsonb, out at timestamptz, out id uuid, out size integer)
returns record
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_from app.list_entry := app.first_entry(p_args ->> 'cursor');
begin
  at := v_from.at;
  id := v_from.id;
  size := app.page_size(p_args, 30, 100);
end
$$;
comment on function staff.page_asked(jsonb) is 'Which page of a list of staff, oldest first, cursor and limit of p_args ask for: behind what it begins, and how much is on it. Raises VALIDATION_FAILED for a foreign cursor.';

revoke all on function staff.page_asked(jsonb) from public;
grant execute on function staff.page_asked(jsonb) to staff_moderator;
