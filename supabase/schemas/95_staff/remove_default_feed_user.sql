create function staff.remove_default_feed_user(p_username text, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_user_id uuid := (select d.user_id from staff.default_feed_users as d where d.username = lower(btrim(p_username)));
begin
  if v_user_id is null then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  delete from app.default_feed_users as d where d.user_id = v_user_id;
  perform staff.note('remove_default_feed_user', p_reason, jsonb_build_object('userId', v_user_id));
end
$$;
comment on function staff.remove_default_feed_user(text, text) is 'The reverse of staff.add_default_feed_user. Raises USER_NOT_FOUND, REASON_MISSING.';

revoke all on function staff.remove_default_feed_user(text, text) from public;
grant execute on function staff.remove_default_feed_user(text, text) to staff_admin;
