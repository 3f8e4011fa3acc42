create function staff.restore_hub(p_hub_id uuid, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.lock_hub(p_hub_id);
  update app.hubs as h set suspended_at = null where h.id = p_hub_id and h.suspended_at is not null;
  if not found then
    raise exception using errcode = 'PT404', message = 'HUB_NOT_FOUND';
  end if;
  with former as (
    delete from app.suspended_memberships as s where s.hub_id = p_hub_id
    returning s.*
  )
  insert into app.memberships (hub_id, user_id, role, joined_at)
  select f.hub_id, f.user_id, f.role, f.joined_at from former as f;
  perform app.succeed_admin(p_hub_id, null);
  update app.hubs as h set closed_at = app.now(), custom_link = null where h.id = p_hub_id and h.member_count = 0;
  perform staff.note('restore_hub', p_reason, jsonb_build_object('hubId', p_hub_id));
end
$$;
comment on function staff.restore_hub(uuid, text) is 'Ends the suspension of a Hub: its members are members again, as what they were. Where its admins'' accounts have ended meanwhile another follows; where all members'' have, it closes. Raises HUB_NOT_FOUND where it is not suspended, REASON_MISSING.';

revoke all on function staff.restore_hub(uuid, text) from public;
grant execute on function staff.restore_hub(uuid, text) to staff_moderator;
