create function app.estranged_ids()
returns setof uuid
language sql
stable
security definer
set search_path = ''
begin atomic
  select app.blocker_ids()
  union all
  select b.blocked_id from app.blocks as b where b.blocker_id = app.user_id();
end;
comment on function app.estranged_ids() is 'Everybody between whom and the caller stands a block, whoever made it: neither sees what the other writes or does (contract.md 6, "Block"). Every policy about that asks here.';

revoke all on function app.estranged_ids() from public;
grant execute on function app.estranged_ids() to anon, authenticated;
