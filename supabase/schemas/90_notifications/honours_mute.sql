create function app.honours_mute(p_event app.events)
returns boolean
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return p_event.hub_id is not null and p_event.type in ('hub_post_created', 'post_shared_to_hub', 'post_reposted');
end
$$;
comment on function app.honours_mute(app.events) is 'Whether members who have muted the Hub of an event are not told of it (spec.md "Visibility and mute").';

revoke all on function app.honours_mute(app.events) from public;
