create function app.listed_join_requests(p_entries app.list_entry[])
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id,
      'user', jsonb_build_object(
        'userId', coalesce(p.user_id::text, ''),
        'displayName', coalesce(p.full_name, ''),
        'profilePhotoUrl', app.photo_url(p.photo_asset_id),
        'username', coalesce(p.username, '')
      ),
      'state', r.state,
      'source', r.source,
      'createdAt', app.iso(r.created_at)
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.join_requests as r on r.id = entry.id
    join app.my_hubs as mine on mine.hub_id = r.hub_id and mine.role >= 'manager'
    left join app.profiles as p
      on p.user_id = r.user_id and not exists (select from app.users_hidden_from_all as h where h.user_id = p.user_id)
  );
end
$$;
comment on function app.listed_join_requests(app.list_entry[]) is 'Join requests to Hubs whose manager or admin the caller is, in this order (contract.md 8). Who asks is shown by their public profile, as the private one is for those who share a Hub; past blocks, which do not touch Hubs. Who is hidden from everybody asks anonymously.';

revoke all on function app.listed_join_requests(app.list_entry[]) from public;
grant execute on function app.listed_join_requests(app.list_entry[]) to authenticated;
