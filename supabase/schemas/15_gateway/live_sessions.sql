create function gateway.live_sessions(p_session_ids uuid[])
returns setof uuid
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query select s.id from app.sessions as s where s.id = any (p_session_ids);
end
$$;
comment on function gateway.live_sessions(uuid[]) is 'Which of these sessions have not ended: whose streams go on.';

revoke all on function gateway.live_sessions(uuid[]) from public;
grant execute on function gateway.live_sessions(uuid[]) to opine_gateway;
