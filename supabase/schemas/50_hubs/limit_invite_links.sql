create function app.limit_invite_links(p_hub_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.require_meter('invite links', p_hub_id::text, 100, interval '1 day');
end
$$;
comment on function app.limit_invite_links(uuid) is 'Counts an invite link that a Hub is about to have. Raises RATE_LIMITED beyond 100 a day.';

revoke all on function app.limit_invite_links(uuid) from public;
grant execute on function app.limit_invite_links(uuid) to authenticated;
