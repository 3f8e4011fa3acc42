create function app.link_of(p_token_hash bytea, out id uuid, out hub_id uuid, out expires_at timestamptz)
returns record
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  select l.id, l.hub_id, l.expires_at into link_of.id, link_of.hub_id, link_of.expires_at
  from app.invite_links as l
  join app.hubs as h on h.id = l.hub_id and h.is_open
  where l.token_hash = p_token_hash and l.expires_at > app.now() and l.use_count < coalesce(l.max_uses, l.use_count + 1);
  if link_of.id is null then
    raise exception using errcode = 'PT404', message = 'INVITE_LINK_NOT_FOUND';
  end if;
end
$$;
comment on function app.link_of(bytea) is 'The invite link of a token, for whoever has it. Raises INVITE_LINK_NOT_FOUND, also for one that is revoked, expired or used up.';

revoke all on function app.link_of(bytea) from public;
grant execute on function app.link_of(bytea) to anon, authenticated;
