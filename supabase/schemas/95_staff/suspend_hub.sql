create function staff.suspend_hub(p_hub_id uuid, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.lock_hub(p_hub_id);
  perform app.require_hub(p_hub_id);
  insert into app.suspended_memberships (hub_id, user_id, role, joined_at)
  select m.hub_id, m.user_id, m.role, m.joined_at from app.memberships as m where m.hub_id = p_hub_id;
  delete from app.memberships as m where m.hub_id = p_hub_id;
  update app.hubs as h set suspended_at = app.now() where h.id = p_hub_id;
  perform staff.note(
    'suspend_hub', p_reason, jsonb_build_object('hubId', p_hub_id, 'reportIds', staff.close_reports_of(p_hub_id))
  );
end
$$;
comment on function staff.suspend_hub(uuid, text) is 'Suspends a Hub: it is there for nobody, and its members are none, until staff.restore_hub. Closes the reports of it. Raises HUB_NOT_FOUND, REASON_MISSING.';

revoke all on function staff.suspend_hub(uuid, text) from public;
grant execute on function staff.suspend_hub(uuid, text) to staff_moderator;
