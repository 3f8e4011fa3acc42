create function app.listed_posts(p_entries app.list_entry[])
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(c.card order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.post_cards(array(select listed.id from unnest(p_entries) as listed)) as c on c.post_id = entry.id
  );
end
$$;
comment on function app.listed_posts(app.list_entry[]) is 'The cards of posts of a list, in its order.';

revoke all on function app.listed_posts(app.list_entry[]) from public;
grant execute on function app.listed_posts(app.list_entry[]) to anon, authenticated;
