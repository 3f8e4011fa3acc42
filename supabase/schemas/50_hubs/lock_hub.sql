create function app.lock_hub(p_hub_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('hub ' || p_hub_id, 0));
end
$$;
comment on function app.lock_hub(uuid) is 'Lets one transaction at a time move members into, out of and within a Hub, until it ends. Not by the row of the Hub: everybody who writes into it updates that.';

revoke all on function app.lock_hub(uuid) from public;
