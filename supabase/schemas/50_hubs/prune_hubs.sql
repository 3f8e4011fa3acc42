create function app.prune_hubs()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  delete from app.hub_invitations as i where i.expires_at <= app.now() - interval '30 days';
  delete from app.invite_links as l where l.expires_at <= app.now();
  delete from app.hub_presence as p where p.seen_in <= app.now() - interval '25 hours';
end;
comment on function app.prune_hubs() is 'Upkeep: forgets invitations 30 days after they expire, expired invite links, and presence that no day holds any more.';

revoke all on function app.prune_hubs() from public;
grant execute on function app.prune_hubs() to opine_worker;
