create function app.own_followers()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('userId', f.follower_id, 'followedAt', app.iso(f.created_at))
  from app.follows as f
  where f.followee_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = f.follower_id)
  order by f.created_at desc, f.follower_id desc
  limit 100000;
end;
comment on function app.own_followers() is 'Of the export: who follows the caller, without people hidden from everybody.';

revoke all on function app.own_followers() from public;
grant execute on function app.own_followers() to authenticated;
