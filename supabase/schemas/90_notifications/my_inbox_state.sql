create function app.my_inbox_state()
returns app.inbox_state
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return app.inbox_state_of(app.user_id());
end
$$;
comment on function app.my_inbox_state() is 'The caller''s badge, and the version of their inbox.';

revoke all on function app.my_inbox_state() from public;
grant execute on function app.my_inbox_state() to authenticated;
