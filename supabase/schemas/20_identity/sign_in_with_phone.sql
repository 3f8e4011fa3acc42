create function app.sign_in_with_phone(p_phone text, p_bearer uuid, out user_id uuid, out is_new boolean, out is_merged boolean)
returns record
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_anonymous_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_phone, 0));
  perform from app.users as u where u.id = p_bearer and u.phone is null or u.phone = p_phone order by u.id for update;
  select u.id into v_anonymous_id from app.users as u where u.id = p_bearer and u.phone is null and u.ended_at is null;
  select u.id into user_id from app.users as u where u.phone = p_phone;

  is_new := user_id is null;
  is_merged := false;
  if user_id is not null and v_anonymous_id is not null then
    perform app.merge_user(v_anonymous_id, user_id);
    is_merged := true;
  elsif user_id is null and v_anonymous_id is not null then
    update app.users as u
    set phone = p_phone, phone_verified_at = app.now(), device_hash = null
    where u.id = v_anonymous_id;
    -- They were opened with what is too weak a key to a phone's account; the one that verifies has the better one now.
    delete from app.sessions as s where s.user_id = v_anonymous_id and s.id is distinct from app.session_id();
    user_id := v_anonymous_id;
    is_merged := true;
  elsif user_id is null then
    insert into app.users (phone, phone_verified_at) values (p_phone, app.now()) returning id into user_id;
  end if;
end
$$;
comment on function app.sign_in_with_phone(text, uuid) is 'The user of a phone whose ownership was just proven. p_bearer: the session''s user, or null; a phoneless one becomes the phone''s user where the phone is new, and keeps no session but that which verifies, else is merged into it (contract.md 3). The lock lets two sign-ins of one new phone make one user.';

revoke all on function app.sign_in_with_phone(text, uuid) from public;
