create function app.next_code_at(p_code app.otp_codes, p_codes_per_day integer)
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_sent_at timestamptz[] := array(
    select sent_at from unnest(p_code.sent_at) as sent (sent_at) where sent.sent_at > app.now() - interval '1 day' order by 1 desc
  );
begin
  -- The daily limit is free again when the code that is so many codes ago is a day old.
  return greatest(
    p_code.requested_at + (app.otp_policy()).resend_after,
    v_sent_at[p_codes_per_day] + interval '1 day'
  );
end
$$;
comment on function app.next_code_at(app.otp_codes, integer) is 'When a phone may have its next code: a minute after the last, and within p_codes_per_day (null: without such a limit).';

revoke all on function app.next_code_at(app.otp_codes, integer) from public;
