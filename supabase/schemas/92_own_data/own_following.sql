create function app.own_following()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('userId', f.followee_id, 'publicPostsMuted', f.is_muted, 'followedAt', app.iso(f.created_at))
  from app.follows as f
  where f.follower_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = f.followee_id)
  order by f.created_at desc, f.followee_id desc
  limit 100000;
end;
comment on function app.own_following() is 'Of the export: whom the caller follows, without people hidden from everybody.';

revoke all on function app.own_following() from public;
grant execute on function app.own_following() to authenticated;
