create function app.listed_messages(p_hub_id uuid, p_messages app.messages[])
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    with author as materialized (
      select * from app.hub_people(p_hub_id, array(select m.author_id from unnest(p_messages) as m))
    )
    select coalesce(jsonb_agg(app.message_card(p_messages[place], app.discussion_author(author)) order by place), '[]')
    from generate_subscripts(p_messages, 1) as place
    left join author on author.user_id = p_messages[place].author_id
  );
end
$$;
comment on function app.listed_messages(uuid, app.messages[]) is 'Messages of a Hub of the caller''s, in this order (contract.md 8).';

revoke all on function app.listed_messages(uuid, app.messages[]) from public;
grant execute on function app.listed_messages(uuid, app.messages[]) to authenticated;
