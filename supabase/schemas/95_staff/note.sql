create function staff.note(p_action text, p_reason text, p_details jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if coalesce(btrim(p_reason), '') = '' then
    raise exception using errcode = 'PT422', message = 'REASON_MISSING';
  end if;
  perform staff.audit(staff.actor(), p_action, p_details || jsonb_build_object('reason', btrim(p_reason)));
end
$$;
comment on function staff.note(text, text, jsonb) is 'Writes down what the member of staff at work does, and why. Raises REASON_MISSING for an empty reason.';

revoke all on function staff.note(text, text, jsonb) from public;
