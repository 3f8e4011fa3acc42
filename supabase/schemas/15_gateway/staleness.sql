create function gateway.staleness()
returns interval
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return coalesce(app.now() - (select h.beaten_at from gateway.heartbeat as h), 'infinity');
end
$$;
comment on function gateway.staleness() is 'How long ago gateway.beat ran, as this server knows: on a replica no less than it is behind the primary, whatever keeps it; without any beat for ever.';

revoke all on function gateway.staleness() from public;
grant execute on function gateway.staleness() to opine_gateway;
