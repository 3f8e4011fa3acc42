create function staff.has_asked_before(p_action text, p_user_id uuid)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return exists (
    select
    from staff.audit_log as l
    where l.actor_email = staff.actor() and l.action = p_action and l.details ->> 'userId' = p_user_id::text
      -- What this transaction has written itself, savepoints or not, is of its own time.
      and l.occurred_at > app.now() - interval '10 minutes' and l.occurred_at < app.now()
  );
end
$$;
comment on function staff.has_asked_before(text, uuid) is 'Whether the audit log has it, from an earlier transaction of the last ten minutes, that the member of staff at work did this about an account.';

revoke all on function staff.has_asked_before(text, uuid) from public;
