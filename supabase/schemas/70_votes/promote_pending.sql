create function app.promote_pending(p_post_id uuid, p_keys text[])
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  -- Where there are more, the next fold goes on: nobody is kept waiting for it.
  for _ in 1..5 loop
    perform app.settle_pending(p_post_id, p_keys);
    exit when not exists (
      select from app.pending_ballots as b where b.post_id = p_post_id and b.key_id = any(app.key_ids(p_keys))
    );
  end loop;
end
$$;
comment on function app.promote_pending(uuid, text[]) is 'Counts at once, in the Hubs in which a post is, what is pending of it there and p_keys open (spec.md "Vote rules" 4). Who has none of the keys changes nothing by it.';

revoke all on function app.promote_pending(uuid, text[]) from public;
grant execute on function app.promote_pending(uuid, text[]) to authenticated;
