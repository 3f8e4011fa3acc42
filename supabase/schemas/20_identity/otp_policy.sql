create function app.otp_policy(
  out code_length integer, out resend_after interval, out expires_after interval, out try_limit integer
)
returns record
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select 4, interval '60 seconds', interval '5 minutes', 3;
end;
comment on function app.otp_policy() is 'What holds for every one-time code (contract.md 3). Four digits bear no more tries: with 3 a code and 5 codes a day a guesser has 15 chances in 10,000 a day. Limits by day and by address come with each request, from the service''s configuration.';

revoke all on function app.otp_policy() from public;
grant execute on function app.otp_policy() to anon, authenticated;
