create function app.prune_device_tokens()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  delete from app.device_tokens where refreshed_at <= app.now() - interval '60 days';
end;
comment on function app.prune_device_tokens() is 'Upkeep: deletes device tokens that nobody has refreshed for 60 days (spec.md "Limits").';

revoke all on function app.prune_device_tokens() from public;
grant execute on function app.prune_device_tokens() to opine_worker;
