create function gateway.prune_idempotent_answers()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  delete from gateway.idempotent_answers where created_at <= gateway.replay_horizon();
end;
comment on function gateway.prune_idempotent_answers() is 'Upkeep: forgets answers that no request may replay any more.';

revoke all on function gateway.prune_idempotent_answers() from public;
grant execute on function gateway.prune_idempotent_answers() to opine_worker;
