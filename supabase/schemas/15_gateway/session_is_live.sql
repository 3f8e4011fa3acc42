create function gateway.session_is_live(p_claims jsonb)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return app.session_is_live(p_claims);
end
$$;
comment on function gateway.session_is_live(jsonb) is 'app.session_is_live for the login roles, which reach nothing in app.';

revoke all on function gateway.session_is_live(jsonb) from public;
grant execute on function gateway.session_is_live(jsonb) to opine_gateway, opine_serializable;
