create function app.count_in_new_hubs(p_post_id uuid, p_hub_ids uuid[], p_keys text[])
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(app.placements_key(p_post_id));
  if exists (select from app.placements as p where p.post_id = p_post_id and p.hub_id = any (p_hub_ids)) then
    perform app.promote_pending(p_post_id, p_keys);
  end if;
end
$$;
comment on function app.count_in_new_hubs(uuid, uuid[], text[]) is 'After a vote was committed: waits for transactions that place the post in Hubs, and counts the vote in those of p_hub_ids in which the post is by now. A share counts the votes that it sees, and this counts a vote that neither saw the share nor was seen by it. Votes wait for shares, never for each other.';

revoke all on function app.count_in_new_hubs(uuid, uuid[], text[]) from public;
grant execute on function app.count_in_new_hubs(uuid, uuid[], text[]) to authenticated;
