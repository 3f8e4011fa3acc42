create function app.listed_discussions(p_hub_id uuid, p_entries app.list_entry[])
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_ids uuid[] := array(select entry.id from unnest(p_entries) as entry);
begin
  return (
    with post as materialized (select * from app.discussed_posts(v_ids)),
    author as materialized (select * from app.hub_people(p_hub_id, array(select p.author_id from post as p)))
    select coalesce(jsonb_agg(app.discussion_card(d, post, app.discussion_author(author)) order by entry.place), '[]')
    from unnest(v_ids) with ordinality as entry (id, place)
    join app.discussions as d on d.id = entry.id
    join post on post.discussion_id = d.id
    left join author on author.user_id = post.author_id
  );
end
$$;
comment on function app.listed_discussions(uuid, app.list_entry[]) is 'Discussions of a Hub of the caller''s, in this order (contract.md 8).';

revoke all on function app.listed_discussions(uuid, app.list_entry[]) from public;
grant execute on function app.listed_discussions(uuid, app.list_entry[]) to authenticated;
