create function app.pending_since()
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return app.now() - interval '337 hours';
end
$$;
comment on function app.pending_since() is 'Votes cast in an hour that began later than this may still be promoted: its deadline is 337 hours after it began (spec.md "Limits").';

revoke all on function app.pending_since() from public;
