create function api.list_messages(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
  v_parent_id uuid := (p_args ->> 'parentMessageId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_from app.list_entry := app.first_entry(p_args ->> 'cursor');
  v_page app.messages[];
  v_until timestamptz;
begin
  if v_parent_id is null then
    v_page := array(
      select m
      from app.messages as m
      where m.discussion_id = v_discussion.id and m.parent_id is null and (m.created_at, m.id) > (v_from.at, v_from.id)
      order by m.created_at, m.id
      limit v_limit + 1
    );
    v_until := coalesce((v_page[v_limit + 1]).created_at, 'infinity');
    v_page := array(
      select m.message
      from (
        select seen as message, seen.created_at, seen.id
        from unnest(v_page) as seen
        union all
        select hidden, hidden.created_at, hidden.id
        from app.hidden_message_roots(v_discussion.id, v_from.at, v_until) as hidden
        where (hidden.created_at, hidden.id) > (v_from.at, v_from.id)
          and exists (select from app.messages as reply where reply.parent_id = hidden.id)
      ) as m
      order by m.created_at, m.id
      limit v_limit + 1
    );
  else
    -- A thread is there where its root or a reply is seen.
    if not exists (
      select from app.messages as m
      where m.discussion_id = v_discussion.id and (m.parent_id = v_parent_id or m.id = v_parent_id and m.parent_id is null)
    ) then
      raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
    end if;
    v_page := array(
      select m
      from app.messages as m
      where m.discussion_id = v_discussion.id and m.parent_id = v_parent_id and (m.created_at, m.id) > (v_from.at, v_from.id)
      order by m.created_at, m.id
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'items', app.listed_messages(v_discussion.hub_id, v_page[:v_limit]),
    'nextCursor', app.next_cursor(array(select (m.created_at, m.id)::app.list_entry from unnest(v_page) as m), v_limit)
  );
end
$$;
comment on function api.list_messages(jsonb) is 'GET /hubs/{hubId}/discussions/{discussionId}/messages (spec.md G, contract.md 8). Takes hubId, discussionId, cursor, limit and, for a thread, parentMessageId; answers items, oldest first, and nextCursor. Raises UNAUTHORIZED, FORBIDDEN below level 4, HUB_NOT_FOUND, DISCUSSION_NOT_FOUND, MESSAGE_NOT_FOUND, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_messages(jsonb) from public;
grant execute on function api.list_messages(jsonb) to authenticated;
