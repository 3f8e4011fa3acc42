create function app.lock_pair(p_one uuid, p_other uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  -- A merge holds both accounts until what it brings, blocks too, is there to be seen.
  perform from app.users as u where u.id in (p_one, p_other) order by u.id for key share;
  perform pg_advisory_xact_lock(hashtextextended(least(p_one, p_other)::text || greatest(p_one, p_other)::text, 0));
end
$$;
comment on function app.lock_pair(uuid, uuid) is 'Lets one transaction at a time change what is between two people, until it ends, and none while an account is merged into one of theirs: a follow and a block at once would else both stand.';

revoke all on function app.lock_pair(uuid, uuid) from public;
grant execute on function app.lock_pair(uuid, uuid) to authenticated;
