create function app.may_hear(p_topic text)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return p_topic = 'user:' || app.user_id() and app.session_is_live(current_setting('request.jwt.claims')::jsonb);
end
$$;
comment on function app.may_hear(text) is 'Whether the caller may listen to a private channel of Supabase Realtime: their own alone, with a live session.';

revoke all on function app.may_hear(text) from public;
grant execute on function app.may_hear(text) to authenticated;
