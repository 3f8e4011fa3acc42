create function app.prune_uploads()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  delete from app.uploads as u where u.asset_id is null and u.expires_at <= app.now() - interval '1 day';
end;
comment on function app.prune_uploads() is 'Upkeep: forgets uploads that expired a day ago.';

revoke all on function app.prune_uploads() from public;
grant execute on function app.prune_uploads() to opine_worker;
