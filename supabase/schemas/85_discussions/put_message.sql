create function app.put_message(p_discussion_id uuid, p_parent_id uuid, p_body text, p_asset_id uuid)
returns uuid
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_hub_id uuid := (select d.hub_id from app.discussions as d where d.id = p_discussion_id);
  v_root_id uuid;
  v_message_id uuid;
begin
  if v_hub_id is null then
    raise exception using errcode = 'PT404', message = 'DISCUSSION_NOT_FOUND';
  end if;
  perform app.hold_member(v_hub_id, p_hidden => 'DISCUSSION_NOT_FOUND');
  if p_parent_id is not null then
    select coalesce(m.parent_id, m.id) into v_root_id
    from app.messages as m
    where m.id = p_parent_id and m.discussion_id = p_discussion_id
      and not exists (select from app.suspensions as s where s.user_id = m.author_id);
    if v_root_id is null then
      raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
    end if;
  end if;
  if p_asset_id is not null then
    perform app.require_asset(p_asset_id, '{post_image}', '["assetId"]');
  end if;
  insert into app.messages (discussion_id, hub_id, author_id, parent_id, body, asset_id)
  values (p_discussion_id, v_hub_id, app.user_id(), v_root_id, p_body, p_asset_id)
  returning id into v_message_id;
  update app.messages as m set reply_count = m.reply_count + 1 where m.id = v_root_id;
  update app.discussions as d
  set message_count = d.message_count + 1, last_activity_at = greatest(d.last_activity_at, app.now())
  where d.id = p_discussion_id;
  perform app.note_activity(v_hub_id);
  return v_message_id;
end
$$;
comment on function app.put_message(uuid, uuid, text, uuid) is 'The caller says something in a discussion of a Hub of theirs; a reply to a reply joins its thread. Answers the message. Raises what app.require_member does, to outsiders DISCUSSION_NOT_FOUND; MESSAGE_NOT_FOUND; VALIDATION_FAILED for an asset that is no post image of the caller''s.';

revoke all on function app.put_message(uuid, uuid, text, uuid) from public;
grant execute on function app.put_message(uuid, uuid, text, uuid) to authenticated;
