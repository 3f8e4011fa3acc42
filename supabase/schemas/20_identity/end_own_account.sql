create function app.end_own_account()
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.end_user(app.user_id());
end
$$;
comment on function app.end_own_account() is 'Ends the caller''s account.';

revoke all on function app.end_own_account() from public;
grant execute on function app.end_own_account() to authenticated;
