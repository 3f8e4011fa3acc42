create function app.refusal(p_code text, p_details jsonb default '{}')
returns jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('refusal', jsonb_build_object('code', p_code, 'details', p_details));
end;
comment on function app.refusal(text, jsonb) is 'The answer of an identity operation that says no and keeps what it wrote (a counted try, an ended session): an exception would undo it. The service turns it into the error p_code.';

revoke all on function app.refusal(text, jsonb) from public;
