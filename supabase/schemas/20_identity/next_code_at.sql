create function app.next_code_at(p_code app.otp_codes, p_codes_per_day integer)
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return greatest(
    p_code.requested_at + (app.otp_policy()).resend_after,
    p_code.sent_at[p_codes_per_day] + interval '1 day'
  );
end
$$;
comment on function app.next_code_at(app.otp_codes, integer) is 'When a phone may have its next code: a minute after the last, and a day after the one that is p_codes_per_day back (null: without such a limit).';

revoke all on function app.next_code_at(app.otp_codes, integer) from public;
