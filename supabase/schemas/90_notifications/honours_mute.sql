create function app.honours_mute(p_type app.event_type, p_hub_id uuid)
returns boolean
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return p_hub_id is not null and p_type in ('hub_post_created', 'post_shared_to_hub', 'post_reposted');
end
$$;
comment on function app.honours_mute(app.event_type, uuid) is 'Whether members who have muted the Hub of an event are not told of it (spec.md "Visibility and mute").';

revoke all on function app.honours_mute(app.event_type, uuid) from public;
