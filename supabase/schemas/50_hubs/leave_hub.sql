create function app.leave_hub(p_hub_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.lock_hub(p_hub_id);
  perform app.require_member(p_hub_id);
  perform app.require_replaceable(p_hub_id, app.user_id());
  perform app.end_membership(p_hub_id, app.user_id());
end
$$;
comment on function app.leave_hub(uuid) is 'The caller leaves a Hub; the last member closes it. Raises what app.require_member does; LAST_ADMIN.';

revoke all on function app.leave_hub(uuid) from public;
grant execute on function app.leave_hub(uuid) to authenticated;
