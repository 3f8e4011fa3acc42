create function staff.audit(p_actor_email text, p_action text, p_details jsonb default '{}')
returns void
language sql
volatile
security invoker
set search_path = ''
begin atomic
  insert into staff.audit_log (actor_email, action, details) values (p_actor_email, p_action, p_details);
end;
comment on function staff.audit(text, text, jsonb) is 'Writes down what somebody of staff did, or tried.';

revoke all on function staff.audit(text, text, jsonb) from public;
