create function app.put_follow(p_followee_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  if exists (select from app.blocked_users as b where b.user_id = p_followee_id) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  insert into app.follows (follower_id, followee_id) values (app.user_id(), p_followee_id);
  perform app.emit('user_followed', p_actor_id => app.user_id(), p_subject_id => p_followee_id);
end
$$;
comment on function app.put_follow(uuid) is 'The caller follows somebody from whom no block keeps them, and that is an event. Raises FORBIDDEN, CANNOT_FOLLOW_SELF by follows_are_of_others, ALREADY_FOLLOWING by follows_pkey.';

revoke all on function app.put_follow(uuid) from public;
grant execute on function app.put_follow(uuid) to authenticated;
