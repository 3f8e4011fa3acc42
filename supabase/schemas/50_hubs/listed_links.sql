create function app.listed_links(p_entries app.list_entry[])
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', l.id,
      'token', null,
      'url', null,
      'expiresAt', app.iso(l.expires_at),
      'maxUses', l.max_uses,
      'useCount', l.use_count,
      'createdAt', app.iso(l.created_at)
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.invite_links as l on l.id = entry.id
  );
end
$$;
comment on function app.listed_links(app.list_entry[]) is 'Invite links in this order (contract.md 8). Their tokens are not kept, so that they have no address any more.';

revoke all on function app.listed_links(app.list_entry[]) from public;
grant execute on function app.listed_links(app.list_entry[]) to authenticated;
