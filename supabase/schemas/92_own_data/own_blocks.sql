create function app.own_blocks()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('userId', b.blocked_id, 'blockedAt', app.iso(b.created_at))
  from app.blocks as b
  where b.blocker_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = b.blocked_id)
  order by b.created_at desc, b.blocked_id desc
  limit 100000;
end;
comment on function app.own_blocks() is 'Of the export: whom the caller blocks, without people hidden from everybody; never who blocks the caller.';

revoke all on function app.own_blocks() from public;
grant execute on function app.own_blocks() to authenticated;
