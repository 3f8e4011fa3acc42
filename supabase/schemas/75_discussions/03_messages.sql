-- Lists the messages of a discussion, or the replies of one thread, oldest first.
--
-- Args: hubId, discussionId, cursor, limit, parentMessageId (optional: the root of a thread). Returns items
-- and nextCursor.
create function api.list_messages(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
  v_parent_id uuid := (p_args ->> 'parentMessageId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_messages', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor', true);
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
    -- A thread exists for the caller if they see its root or a reply.
    if not exists (
      select from app.messages as m
      where m.discussion_id = v_discussion.id
        and (m.parent_id = v_parent_id or m.id = v_parent_id and m.parent_id is null)
    ) then
      raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
    end if;
    v_page := array(
      select m
      from app.messages as m
      where m.discussion_id = v_discussion.id and m.parent_id = v_parent_id
        and (m.created_at, m.id) > (v_from.at, v_from.id)
      order by m.created_at, m.id
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'items', app.messages_json(v_discussion.hub_id, v_page[:v_limit]),
    'nextCursor', app.next_cursor(
      v_list, array(select (m.created_at, m.id)::app.list_entry from unnest(v_page) as m), v_limit
    )
  );
end
$$;
comment on function api.list_messages is
  'GET /hubs/{hubId}/discussions/{discussionId}/messages (docs/product.md D3, D5).';
grant execute on function api.list_messages to authenticated;

-- They look deleted: no author, text or asset. A definer function, because the policy of messages hides them.
--
-- Returns none to a non-member.
create function app.hidden_message_roots(p_discussion_id uuid, p_from timestamptz, p_until timestamptz)
returns setof app.messages
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select m.id, m.discussion_id, m.hub_id, null::uuid, null::uuid, null::text, null::uuid, null::text, true,
    m.reply_count, m.created_at
  from app.messages as m
  where m.discussion_id = p_discussion_id and m.parent_id is null and m.created_at between p_from and p_until
    and m.reply_count > 0
    and m.author_id in (select s.user_id from app.suspensions as s)
    and m.hub_id in (select mine.hub_id from app.my_hubs as mine);
end
$$;
comment on function app.hidden_message_roots is
  'Returns the thread roots of a discussion, from p_from to p_until, of suspended authors.';
grant execute on function app.hidden_message_roots to authenticated;

create function app.messages_json(p_hub_id uuid, p_messages app.messages[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    with author as materialized (
      select * from app.hub_people(p_hub_id, array(select m.author_id from unnest(p_messages) as m))
    )
    select coalesce(jsonb_agg(app.message_json(p_messages[place], app.discussion_author(author)) order by place), '[]')
    from generate_subscripts(p_messages, 1) as place
    left join author on author.user_id = p_messages[place].author_id
  );
end
$$;
comment on function app.messages_json is
  'Returns messages of a Hub of the caller as JSON in the given order (docs/product.md D3, D5).';
grant execute on function app.messages_json to authenticated;

create function app.message_json(p_message app.messages, p_author jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p_message.id,
    'discussionId', p_message.discussion_id,
    'parentMessageId', p_message.parent_id,
    'author', p_author,
    'text', p_message.body,
    'replyCount', p_message.reply_count,
    'createdAt', app.iso(p_message.created_at),
    'isDeleted', p_message.is_deleted
  ) || app.picture_json(p_message.asset_id, p_message.alt_text);
end
$$;
comment on function app.message_json is 'Returns a message of a discussion as JSON (docs/product.md D3, D5, D9).';
grant execute on function app.message_json to authenticated;

-- Writes a message into a discussion.
--
-- Args: hubId, discussionId, parentMessageId, text, assetId, altText. Returns the message.
create function api.create_message(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
  v_text text := app.text_argument(p_args, 'text');
  v_alt_text text := app.alt_text_argument(p_args);
  v_message_id uuid;
begin
  perform app.check_limit('comments');
  v_message_id := app.insert_message(
    v_discussion.id, (p_args ->> 'parentMessageId')::uuid, v_text, (p_args ->> 'assetId')::uuid, v_alt_text
  );
  perform app.use_limit('comments');
  -- A block may have hidden the discussion while the insert waited.
  return app.found(app.new_message_json(v_message_id), 'DISCUSSION_NOT_FOUND');
end
$$;
comment on function api.create_message is
  'POST /hubs/{hubId}/discussions/{discussionId}/messages (docs/product.md D3, D4).';
grant execute on function api.create_message to authenticated;

create function app.new_message_json(p_message_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_message app.messages;
begin
  select m.* into v_message
  from app.messages as m
  join app.discussions as d on d.id = m.discussion_id
  where m.id = p_message_id and not m.is_deleted;
  return case when v_message.id is not null then app.messages_json(v_message.hub_id, array[v_message]) -> 0 end;
end
$$;
comment on function app.new_message_json is
  'Returns a message with content that the caller sees (docs/product.md D3); null for any other.';
grant execute on function app.new_message_json to authenticated;

-- Returns its id. Errors: those of app.require_member, DISCUSSION_NOT_FOUND (also for a non-member),
-- MESSAGE_NOT_FOUND (no such parent, or a deleted one), VALIDATION_FAILED (an asset that is no post image of
-- the caller).
create function app.insert_message(
  p_discussion_id uuid, p_parent_id uuid, p_body text, p_asset_id uuid, p_alt_text text
)
returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_hub_id uuid := (select d.hub_id from app.discussions as d where d.id = p_discussion_id);
  v_created_at timestamptz;
  v_root_id uuid;
  v_message_id uuid;
begin
  if v_hub_id is null then
    raise exception using errcode = 'PT404', message = 'DISCUSSION_NOT_FOUND';
  end if;
  perform app.lock_member(v_hub_id, p_hidden => 'DISCUSSION_NOT_FOUND');
  -- The discussion first: its lock orders messages, and replies and the deletion of their root. Each message
  -- is later than those committed before, although app.now() is the time at which its transaction began.
  update app.discussions as d
  set message_count = d.message_count + 1,
    last_activity_at = greatest(app.now(), d.last_activity_at + interval '1 microsecond')
  where d.id = p_discussion_id
  returning d.last_activity_at into v_created_at;
  if not found then
    raise exception using errcode = 'PT404', message = 'DISCUSSION_NOT_FOUND';
  end if;
  if p_parent_id is not null then
    select coalesce(m.parent_id, m.id) into v_root_id
    from app.messages as m
    where m.id = p_parent_id and m.discussion_id = p_discussion_id and not m.is_deleted
      and not exists (select from app.suspensions as s where s.user_id = m.author_id);
    if v_root_id is null then
      raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
    end if;
  end if;
  if p_asset_id is not null then
    perform app.require_asset(p_asset_id, '{post_image}', '["assetId"]');
  end if;
  insert into app.messages (discussion_id, hub_id, author_id, parent_id, body, asset_id, alt_text, created_at)
  values (p_discussion_id, v_hub_id, app.user_id(), v_root_id, p_body, p_asset_id, p_alt_text, v_created_at)
  returning id into v_message_id;
  update app.messages as m set reply_count = m.reply_count + 1 where m.id = v_root_id;
  perform app.record_hub_activity(v_hub_id);
  return v_message_id;
end
$$;
comment on function app.insert_message is
  'Inserts a message of the caller into a discussion of a Hub of theirs; a reply to a reply joins its thread.';
grant execute on function app.insert_message to authenticated;

-- Deletes a message. Args: hubId, discussionId, messageId. Returns {}.
--
-- Authors delete their own messages in a discussion that a block hides from them too.
create function api.delete_message(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_message_id uuid := (p_args ->> 'messageId')::uuid;
  v_discussion app.discussions := app.require_discussion(p_args, p_despite_blocks => exists (
    select from app.messages as m where m.id = (p_args ->> 'messageId')::uuid and m.author_id = app.user_id()
  ));
begin
  perform app.delete_message_as_caller(v_discussion.id, v_message_id);
  return '{}'::jsonb;
end
$$;
comment on function api.delete_message is
  'DELETE /hubs/{hubId}/discussions/{discussionId}/messages/{messageId} (docs/product.md D8, D9, D11).';
grant execute on function api.delete_message to authenticated;

-- Deletes a message of a discussion in a Hub of the caller, for its author or an admin.
--
-- Admins delete messages of suspended people too, which only they do not get 404 for. Errors: those of
-- app.require_member; DISCUSSION_NOT_FOUND (non-member), MESSAGE_NOT_FOUND, FORBIDDEN (any other member).
create function app.delete_message_as_caller(p_discussion_id uuid, p_message_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_message app.messages;
  v_role app.hub_role;
begin
  perform app.lock_member(d.hub_id, p_hidden => 'DISCUSSION_NOT_FOUND')
  from app.discussions as d
  where d.id = p_discussion_id;
  -- After this lock a concurrent deletion is over.
  perform app.lock_discussion_of(p_message_id);
  select m.* into v_message
  from app.messages as m
  where m.id = p_message_id and m.discussion_id = p_discussion_id and not m.is_deleted;
  v_role := (select mine.role from app.my_hubs as mine where mine.hub_id = v_message.hub_id);
  if v_message.id is null or v_role is distinct from 'admin' and exists (
    select from app.suspensions as s where s.user_id = v_message.author_id
  ) then
    raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
  end if;
  if v_message.author_id is distinct from app.user_id() and v_role is distinct from 'admin' then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  perform app.delete_message(p_message_id);
end
$$;
comment on function app.delete_message_as_caller is
  'Deletes a message for its author or an admin of the Hub (docs/product.md D8).';
grant execute on function app.delete_message_as_caller to authenticated;

-- The root of a thread stays, without text, asset and author, until its last reply goes.
--
-- Returns false if it was gone or has no content.
create function app.delete_message(p_message_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_message app.messages;
begin
  perform app.lock_discussion_of(p_message_id);
  select * into v_message
  from app.messages as m
  where m.id = p_message_id and not m.is_deleted
  for update;
  if v_message.id is null then
    return false;
  end if;
  if v_message.reply_count > 0 then
    update app.messages as m
    set author_id = null, body = null, asset_id = null, alt_text = null
    where m.id = v_message.id;
  else
    delete from app.messages as m where m.id = v_message.id;
    update app.messages as root set reply_count = root.reply_count - 1 where root.id = v_message.parent_id;
    delete from app.messages as root
    where root.id = v_message.parent_id and root.reply_count = 0 and root.is_deleted;
  end if;
  update app.discussions as d set message_count = d.message_count - 1 where d.id = v_message.discussion_id;
  return true;
end
$$;
comment on function app.delete_message is 'Deletes a message.';

create function app.lock_discussion_of(p_message_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.discussions as d
  where d.id = (select m.discussion_id from app.messages as m where m.id = p_message_id)
  for no key update;
end
$$;
comment on function app.lock_discussion_of is
  'Locks the discussion of a message before a change of the message, as app.insert_message does: replies come before '
  'or after.';
