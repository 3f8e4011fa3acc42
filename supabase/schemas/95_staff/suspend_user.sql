create function staff.suspend_user(p_user_id uuid, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  -- Before the account, as whoever takes a member in does.
  perform app.lock_hubs_of(p_user_id);
  -- A sign-in under way holds this row until its session is there to be seen.
  perform from app.users as u where u.id = p_user_id and u.ended_at is null for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  insert into app.suspensions (user_id) values (p_user_id) on conflict do nothing;
  perform app.succeed_admin(m.hub_id, null) from app.memberships as m where m.user_id = p_user_id;
  delete from app.sessions as s where s.user_id = p_user_id;
  delete from app.device_tokens as d where d.user_id = p_user_id;
  perform staff.note(
    'suspend_user', p_reason, jsonb_build_object('userId', p_user_id, 'reportIds', staff.close_reports_of(p_user_id))
  );
end
$$;
comment on function staff.suspend_user(uuid, text) is 'Suspends an account: its sessions end at once, nobody signs in to it, and what it says and does is hidden from everybody, until staff.restore_user. Hubs of which they are the only admin get another, who stays one. Closes the reports of it. Raises USER_NOT_FOUND, REASON_MISSING.';

revoke all on function staff.suspend_user(uuid, text) from public;
grant execute on function staff.suspend_user(uuid, text) to staff_moderator;
