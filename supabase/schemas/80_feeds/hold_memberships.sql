create function app.hold_memberships(p_user_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform from app.users as u where u.id = p_user_id for share;
end
$$;
comment on function app.hold_memberships(uuid) is 'Lets whoever joins or leaves a Hub (app.hold_acts) come before or after this transaction, in which they do something that Hubs'' streams show, or take it back: else neither of the two would bring it there, or take it away.';

revoke all on function app.hold_memberships(uuid) from public;
grant execute on function app.hold_memberships(uuid) to authenticated;
