create function app.otp_policy(
  out code_length integer, out resend_after interval, out expires_after interval, out try_limit integer, out daily_limit integer
)
returns record
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select 4, interval '60 seconds', interval '5 minutes', 3, 5;
end;
comment on function app.otp_policy() is 'The limits of one-time codes (contract.md 3). Four digits bear no more: 3 tries a code and 5 codes a day leave a guesser 15 chances in 10,000 a day.';

revoke all on function app.otp_policy() from public;
grant execute on function app.otp_policy() to anon, authenticated;
