create function staff.claimed_by(p_target_id uuid)
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select c.claimed_by from staff.claims as c where c.target_id = p_target_id and c.claimed_at > app.now() - interval '1 hour'
  );
end
$$;
comment on function staff.claimed_by(uuid) is 'Who of staff looks into the reports of something, null where nobody does: a claim holds for an hour.';

revoke all on function staff.claimed_by(uuid) from public;
grant execute on function staff.claimed_by(uuid) to staff_moderator;
