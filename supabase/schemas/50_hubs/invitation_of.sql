create function app.invitation_of(p_token_hash bytea)
returns app.hub_invitations
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_invitation app.hub_invitations;
begin
  select i.* into v_invitation
  from app.hub_invitations as i
  join app.hubs as h on h.id = i.hub_id and h.closed_at is null
  where i.token_hash = p_token_hash;
  if v_invitation.id is null then
    raise exception using errcode = 'PT404', message = 'INVITATION_NOT_FOUND';
  end if;
  return v_invitation;
end
$$;
comment on function app.invitation_of(bytea) is 'The invitation of a token, for whoever has it. Raises INVITATION_NOT_FOUND.';

revoke all on function app.invitation_of(bytea) from public;
grant execute on function app.invitation_of(bytea) to anon, authenticated;
