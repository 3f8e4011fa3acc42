create function app.hold_member(p_hub_id uuid, p_role app.hub_role default 'member', p_hidden text default null)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform from app.memberships as m where m.hub_id = p_hub_id and m.user_id = app.user_id() for no key update;
  perform app.require_member(p_hub_id, p_role, p_hidden);
end
$$;
comment on function app.hold_member(uuid, app.hub_role, text) is 'As app.require_member, for what writes under the policies: who passes stays what they are until the end of the transaction.';

revoke all on function app.hold_member(uuid, app.hub_role, text) from public;
grant execute on function app.hold_member(uuid, app.hub_role, text) to authenticated;
