create function app.people_page(p_entries app.list_entry[], p_limit integer)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(
        app.user_lite(p) || jsonb_build_object('viewerFollows', app.viewer_follows(p.user_id)) order by entry.place
      ), '[]')
      from unnest(p_entries[:p_limit]) with ordinality as entry (at, id, place)
      join app.profiles as p on p.user_id = entry.id
    ),
    'nextCursor', case when cardinality(p_entries) > p_limit then
      app.encode_cursor(p_entries[p_limit].at, p_entries[p_limit].id)
    end
  );
end
$$;
comment on function app.people_page(app.list_entry[], integer) is 'A page of people (UserLite and viewerFollows) out of the first p_limit entries; one entry more says that there is a next one.';

revoke all on function app.people_page(app.list_entry[], integer) from public;
grant execute on function app.people_page(app.list_entry[], integer) to authenticated;
