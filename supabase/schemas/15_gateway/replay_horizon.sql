create function gateway.replay_horizon()
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return app.now() - interval '24 hours';
end
$$;
comment on function gateway.replay_horizon() is 'Answers first given at this time or before are not replayed any more (contract.md 1).';

revoke all on function gateway.replay_horizon() from public;
