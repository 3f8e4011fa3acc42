create function app.invitation_of(
  p_token_hash bytea, out id uuid, out hub_id uuid, out state app.invitation_state, out expires_at timestamptz, out inviter_name text
)
returns record
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  select i.id, i.hub_id, app.state_of(i.state, i.expires_at), i.expires_at, p.full_name
  into invitation_of.id, invitation_of.hub_id, invitation_of.state, invitation_of.expires_at, invitation_of.inviter_name
  from app.hub_invitations as i
  join app.hubs as h on h.id = i.hub_id and h.is_open
  left join app.profiles as p
    on p.user_id = i.inviter_id and not exists (select from app.users_hidden_from_all as h where h.user_id = p.user_id)
  where i.token_hash = p_token_hash;
  if invitation_of.id is null then
    raise exception using errcode = 'PT404', message = 'INVITATION_NOT_FOUND';
  end if;
end
$$;
comment on function app.invitation_of(bytea) is 'The invitation of a token and the public name of its inviter, for whoever has it, blocked or not: a guest sees the same. Null where the inviter is hidden from everybody. Raises INVITATION_NOT_FOUND.';

revoke all on function app.invitation_of(bytea) from public;
grant execute on function app.invitation_of(bytea) to anon, authenticated;
