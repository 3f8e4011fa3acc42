create function app.refresh_token_lifetime()
returns interval
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select interval '60 days';
end;
comment on function app.refresh_token_lifetime() is 'How long a refresh token lives (contract.md 3).';

revoke all on function app.refresh_token_lifetime() from public;
