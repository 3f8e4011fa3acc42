set local lock_timeout = '5s';
set local statement_timeout = '60s';

set local check_function_bodies = off;

create or replace function staff.add_default_feed_user (
  p_username text,
  p_reason text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_user_id uuid := (select p.user_id from app.profiles as p where p.username = app.handle_key(p_username));
begin
  if v_user_id is null then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  insert into app.default_feed_users (user_id) values (v_user_id) on conflict do nothing;
  perform staff.record('add_default_feed_user', p_reason, jsonb_build_object('userId', v_user_id));
end
$function$;

create or replace function staff.remove_default_feed_user (
  p_username text,
  p_reason text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_user_id uuid := (select d.user_id from staff.default_feed_users as d where d.username = app.handle_key(p_username));
begin
  if v_user_id is null then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  delete from app.default_feed_users as d where d.user_id = v_user_id;
  perform staff.record('remove_default_feed_user', p_reason, jsonb_build_object('userId', v_user_id));
end
$function$;
