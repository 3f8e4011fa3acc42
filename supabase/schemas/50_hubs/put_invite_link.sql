create function app.put_invite_link(p_hub_id uuid, p_token_hash bytea, p_max_uses integer, p_expires_in interval)
returns uuid
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform app.hold_member(p_hub_id, 'manager');
  perform app.require_meter('invite links', p_hub_id::text, 100, interval '1 day');
  insert into app.invite_links (hub_id, token_hash, max_uses, expires_at)
  values (p_hub_id, p_token_hash, p_max_uses, app.now() + p_expires_in)
  returning id into v_id;
  return v_id;
end
$$;
comment on function app.put_invite_link(uuid, bytea, integer, interval) is 'Makes an invite link of a Hub whose manager or admin the caller is, and answers its id. Raises what app.require_member does, RATE_LIMITED beyond 100 a day for one Hub.';

revoke all on function app.put_invite_link(uuid, bytea, integer, interval) from public;
grant execute on function app.put_invite_link(uuid, bytea, integer, interval) to authenticated;
