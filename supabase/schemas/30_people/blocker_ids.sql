create function app.blocker_ids()
returns setof uuid
language sql
stable
security definer
set search_path = ''
begin atomic
  select b.blocker_id from app.blocks as b where b.blocked_id = app.user_id();
end;
comment on function app.blocker_ids() is 'Who has blocked the caller: for them these people are not there (contract.md 6, "Block").';

revoke all on function app.blocker_ids() from public;
grant execute on function app.blocker_ids() to anon, authenticated;
