create function staff.add_default_feed_user(p_username text, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_user_id uuid := (select p.user_id from app.profiles as p where p.username = lower(btrim(p_username)));
begin
  if v_user_id is null then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  insert into app.default_feed_users (user_id) values (v_user_id) on conflict do nothing;
  perform staff.note('add_default_feed_user', p_reason, jsonb_build_object('userId', v_user_id));
end
$$;
comment on function staff.add_default_feed_user(text, text) is 'Shows the public posts of somebody to people who follow nobody yet. Raises USER_NOT_FOUND, REASON_MISSING.';

revoke all on function staff.add_default_feed_user(text, text) from public;
grant execute on function staff.add_default_feed_user(text, text) to staff_admin;
