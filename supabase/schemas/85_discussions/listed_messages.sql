create function app.listed_messages(p_hub_id uuid, p_entries app.list_entry[])
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    with message as materialized (
      select m, entry.place from unnest(p_entries) with ordinality as entry (at, id, place) join app.messages as m on m.id = entry.id
    ),
    author as materialized (
      select * from app.hub_people(p_hub_id, array(select (message.m).author_id from message))
    )
    select coalesce(jsonb_agg(app.message_card(message.m, app.discussion_author(author)) order by message.place), '[]')
    from message
    left join author on author.user_id = (message.m).author_id
  );
end
$$;
comment on function app.listed_messages(uuid, app.list_entry[]) is 'Messages of a Hub of the caller''s, in this order (contract.md 8).';

revoke all on function app.listed_messages(uuid, app.list_entry[]) from public;
grant execute on function app.listed_messages(uuid, app.list_entry[]) to authenticated;
