create function app.put_block(p_blocked_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  insert into app.blocks (blocker_id, blocked_id) values (app.user_id(), p_blocked_id) on conflict do nothing;
  delete from app.follows
  where (follower_id, followee_id) in ((app.user_id(), p_blocked_id), (p_blocked_id, app.user_id()));
end
$$;
comment on function app.put_block(uuid) is 'The caller''s block of somebody, which ends the follows between the two, both ways.';

revoke all on function app.put_block(uuid) from public;
grant execute on function app.put_block(uuid) to authenticated;
