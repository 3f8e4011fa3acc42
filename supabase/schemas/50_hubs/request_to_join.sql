create function app.request_to_join(p_token_hash bytea, out hub_id uuid, out join_request_id uuid)
returns record
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.require_level(4);
  hub_id := (app.link_of(p_token_hash)).hub_id;
  perform app.lock_hub(hub_id);
  perform app.require_no_member(hub_id);
  join_request_id := app.open_join_request(hub_id, 'invite_link');
  -- Its last use may have been another's, or it revoked, while this waited.
  update app.invite_links as l
  set use_count = l.use_count + 1
  where l.id = (app.link_of(p_token_hash)).id;
end
$$;
comment on function app.request_to_join(bytea) is 'The caller asks to join the Hub of an invite link; answers the Hub and the join request. Raises FORBIDDEN below level 4, INVITE_LINK_NOT_FOUND, ALREADY_MEMBER, JOIN_REQUEST_PENDING.';

revoke all on function app.request_to_join(bytea) from public;
grant execute on function app.request_to_join(bytea) to authenticated;
