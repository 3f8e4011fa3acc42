create function app.listed_people(p_entries app.list_entry[])
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(
      app.user_lite(p) || jsonb_build_object('viewerFollows', app.viewer_follows(p.user_id)) order by entry.place
    ), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.profiles as p on p.user_id = entry.id
  );
end
$$;
comment on function app.listed_people(app.list_entry[]) is 'People of a list, in its order: UserLite and viewerFollows (contract.md 6).';

revoke all on function app.listed_people(app.list_entry[]) from public;
grant execute on function app.listed_people(app.list_entry[]) to authenticated;
