create function app.listed_discussions(p_entries app.list_entry[])
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(app.discussion_card(d) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.discussions as d on d.id = entry.id
  );
end
$$;
comment on function app.listed_discussions(app.list_entry[]) is 'Discussions of Hubs of the caller''s, in this order (contract.md 8).';

revoke all on function app.listed_discussions(app.list_entry[]) from public;
grant execute on function app.listed_discussions(app.list_entry[]) to authenticated;
