create function app.state_of(p_state app.invitation_state, p_expires_at timestamptz)
returns app.invitation_state
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return case when p_state = 'pending' and p_expires_at <= app.now() then 'expired' else p_state end;
end
$$;
comment on function app.state_of(app.invitation_state, timestamptz) is 'What became of an invitation by now.';

revoke all on function app.state_of(app.invitation_state, timestamptz) from public;
grant execute on function app.state_of(app.invitation_state, timestamptz) to anon, authenticated;
