-- Lists the discussions of a Hub, last active first.
--
-- Args: hubId, cursor, limit. Returns items and nextCursor.
create function api.list_discussions(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_discussions', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_member(v_hub_id);
  v_page := array(
    select (d.last_activity_at, d.id)::app.list_entry
    from app.discussions as d
    where d.hub_id = v_hub_id and (d.last_activity_at, d.id) < (v_from.at, v_from.id)
    order by d.last_activity_at desc, d.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.discussions_json(v_hub_id, v_page[:v_limit]),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_discussions is 'GET /hubs/{hubId}/discussions (docs/product.md D1, D2).';
grant execute on function api.list_discussions to authenticated;

create function app.discussions_json(p_hub_id uuid, p_entries app.list_entry[]) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_ids uuid[] := array(select entry.id from unnest(p_entries) as entry);
begin
  return (
    with post as materialized (select * from app.discussed_posts(p_hub_id, v_ids)),
    author as materialized (select * from app.hub_people(p_hub_id, array(select p.author_id from post as p)))
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', post.discussion_id,
      'hubId', p_hub_id,
      'postId', post.post_id,
      'preview', jsonb_build_object(
        'thoughtText', post.thought_text,
        'sliderText', post.slider_text,
        'articleTitle', post.article_title,
        'author', app.discussion_author(author)
      ),
      'messageCount', post.message_count,
      'lastActivityAt', app.iso(post.last_activity_at),
      'viewerSaved', post.is_saved,
      'unreadCount', post.unread_count
    ) order by entry.place), '[]')
    from unnest(v_ids) with ordinality as entry (id, place)
    join post on post.discussion_id = entry.id
    left join author on author.user_id = post.author_id
  );
end
$$;
comment on function app.discussions_json is
  'Returns discussions of a Hub of the caller as JSON in the given order, with their unread messages (docs/product.md '
  'D2, D10).';
grant execute on function app.discussions_json to authenticated;

create type app.discussed_post as (
  discussion_id uuid, post_id uuid, message_count integer, last_activity_at timestamptz,
  author_id uuid, thought_text text, slider_text text, article_title text, is_saved boolean, unread_count integer
);
comment on type app.discussed_post is
  'A discussion with its post, for the preview, whether the caller has saved the discussion, and how many of its '
  'messages they have not read.';

-- Returns discussions of a Hub with their posts, and none to a non-member.
--
-- It ignores blocks, which the policy of discussions applies, so it is a definer function. The post of an
-- author hidden from everybody is empty. It counts the unread messages that the policy of messages shows, at
-- most 100: under that policy the count would cost twice as much.
create function app.discussed_posts(p_hub_id uuid, p_discussion_ids uuid[]) returns setof app.discussed_post
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select
    d.id, d.post_id, d.message_count, d.last_activity_at, p.author_id, p.thought_text, p.slider_text, a.title,
    exists (select from app.saved_discussions as s where s.discussion_id = d.id and s.user_id = app.user_id()),
    (
      select count(*)::integer
      from (
        select
        from app.messages as unread
        where unread.discussion_id = d.id and not unread.is_deleted
          and unread.created_at > greatest(m.joined_at, (
            select r.read_until from app.discussion_reads as r where r.discussion_id = d.id and r.user_id = m.user_id
          ))
          and (
            unread.author_id is null
            or unread.author_id <> m.user_id and unread.author_id not in (select s.user_id from app.suspensions as s)
          )
        limit 100
      ) as at_most
    )
  from app.discussions as d
  join app.memberships as m on m.hub_id = d.hub_id and m.user_id = app.user_id()
  left join app.posts as p
    on p.id = d.post_id and not exists (select from app.users_hidden_from_all as h where h.user_id = p.author_id)
  left join app.articles as a on a.id = p.article_id
  where d.id = any (p_discussion_ids) and d.hub_id = p_hub_id;
end
$$;
comment on function app.discussed_posts is 'Returns discussions of a Hub with their posts (docs/product.md D2, D10).';
grant execute on function app.discussed_posts to authenticated;

-- The planner inlines it.
create function app.discussion_author(p_person app.hub_person) returns jsonb language sql stable
return jsonb_build_object(
  'userId', coalesce(p_person.user_id::text, ''),
  'displayName', coalesce(p_person.display_name, ''),
  'profilePhotoUrl', app.photo_url(p_person.photo_asset_id),
  'phoneNumber', p_person.phone_number,
  'publicUsername', case when p_person.role is null then p_person.username end,
  'isAnonymous', p_person.user_id is null,
  'isFormerMember', p_person.role is null
);
comment on function app.discussion_author is
  'Returns a HubDiscussionAuthor (docs/product.md D5): a member with their phone, a former member with their username, '
  'a null row (an ended or suspended account) with neither.';
grant execute on function app.discussion_author to authenticated;

-- Saves a discussion for the caller.
--
-- Args: hubId, discussionId. Returns saved.
create function api.save_discussion(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
begin
  perform app.lock_member(v_discussion.hub_id, p_hidden => 'DISCUSSION_NOT_FOUND');
  insert into app.saved_discussions (user_id, discussion_id)
  values (app.user_id(), v_discussion.id)
  on conflict (user_id, discussion_id) do nothing;
  return '{"saved": true}'::jsonb;
end
$$;
comment on function api.save_discussion is 'POST /hubs/{hubId}/discussions/{discussionId}/save (docs/product.md D6).';
grant execute on function api.save_discussion to authenticated;

create function app.discussion_save_state(p_discussion_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('saved', exists (
      select from app.saved_discussions as s where s.user_id = app.user_id() and s.discussion_id = d.id
    ))
    from app.discussions as d
    where d.id = p_discussion_id
  );
end
$$;
comment on function app.discussion_save_state is
  'Returns whether the caller has saved a discussion (docs/product.md D6); null for one that they may not see.';
grant execute on function app.discussion_save_state to authenticated;

-- Removes a discussion from the saved ones of the caller.
--
-- Args: hubId, discussionId. Returns saved.
create function api.unsave_discussion(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args, p_despite_blocks => true);
begin
  delete from app.saved_discussions as s where s.user_id = app.user_id() and s.discussion_id = v_discussion.id;
  return '{"saved": false}'::jsonb;
end
$$;
comment on function api.unsave_discussion is
  'DELETE /hubs/{hubId}/discussions/{discussionId}/save (docs/product.md D6).';
grant execute on function api.unsave_discussion to authenticated;

-- Lists the saved discussions in Hubs of the caller, last saved first. Below level 4 nobody is a member of a
-- Hub, so the list is empty.
create function api.list_saved_discussions(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_saved_discussions', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(1);
  v_page := array(
    select (s.saved_at, s.discussion_id)::app.list_entry
    from app.saved_discussions as s
    join app.discussions as d on d.id = s.discussion_id
    where s.user_id = app.user_id() and (s.saved_at, s.discussion_id) < (v_from.at, v_from.id)
    order by s.saved_at desc, s.discussion_id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(app.saved_discussion(d) order by entry.place), '[]')
      from unnest(v_page[:v_limit]) with ordinality as entry (at, id, place)
      join app.discussions as d on d.id = entry.id
    ),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_saved_discussions is 'GET /users/me/saved-discussions (docs/product.md D6).';
grant execute on function api.list_saved_discussions to authenticated;

create function app.saved_discussion(p_discussion app.discussions) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return app.discussions_json(
    p_discussion.hub_id, array[(null, p_discussion.id)::app.list_entry]
  ) -> 0 || jsonb_build_object(
    'hub', (select jsonb_build_object('id', h.id, 'name', h.name) from app.hubs as h where h.id = p_discussion.hub_id),
    'previewMessages', app.messages_json(p_discussion.hub_id, array(
      select m
      from app.messages as m
      where m.discussion_id = p_discussion.id and not m.is_deleted
      order by m.created_at, m.id
      limit 3
    ))
  );
end
$$;
comment on function app.saved_discussion is
  'Returns a saved discussion as JSON, with its Hub and its three earliest messages that are not deleted '
  '(docs/product.md D6, D9).';
grant execute on function app.saved_discussion to authenticated;

-- Marks the messages of a discussion as read by the caller.
--
-- Args: hubId, discussionId. Returns unreadCount.
create function api.mark_discussion_read(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
begin
  perform app.lock_member(v_discussion.hub_id, p_hidden => 'DISCUSSION_NOT_FOUND');
  insert into app.discussion_reads as r (user_id, discussion_id, read_until)
  -- A message that is committed from now on is later than last_activity_at: see app.insert_message.
  values (app.user_id(), v_discussion.id, v_discussion.last_activity_at)
  on conflict (user_id, discussion_id) do update set read_until = greatest(r.read_until, excluded.read_until);
  return '{"unreadCount": 0}'::jsonb;
end
$$;
comment on function api.mark_discussion_read is
  'POST /hubs/{hubId}/discussions/{discussionId}/read (docs/product.md D10).';
grant execute on function api.mark_discussion_read to authenticated;

-- Returns the discussion that hubId and discussionId of p_args name, in a Hub of the caller.
--
-- Args: p_despite_blocks (whether one that a block hides will do). Errors: those of app.require_member,
-- DISCUSSION_NOT_FOUND (also for a non-member).
create function app.require_discussion(p_args jsonb, p_despite_blocks boolean default false) returns app.discussions
language plpgsql set search_path = '' as $$
declare
  v_discussion app.discussions;
begin
  perform app.require_member((p_args ->> 'hubId')::uuid, p_hidden => 'DISCUSSION_NOT_FOUND');
  if p_despite_blocks then
    v_discussion := app.discussion_despite_blocks((p_args ->> 'discussionId')::uuid);
  else
    select * into v_discussion from app.discussions as d where d.id = (p_args ->> 'discussionId')::uuid;
  end if;
  if v_discussion.hub_id is distinct from (p_args ->> 'hubId')::uuid then
    raise exception using errcode = 'PT404', message = 'DISCUSSION_NOT_FOUND';
  end if;
  return v_discussion;
end
$$;
comment on function app.require_discussion is 'Returns a discussion in a Hub of the caller (docs/product.md D7, D11).';
grant execute on function app.require_discussion to authenticated;

create function app.discussion_despite_blocks(p_discussion_id uuid) returns app.discussions
language plpgsql stable security definer set search_path = '' as $$
declare
  v_discussion app.discussions;
begin
  select * into v_discussion
  from app.discussions as d
  where d.id = p_discussion_id and not d.is_hidden and d.hub_id in (select mine.hub_id from app.my_hubs as mine);
  return v_discussion;
end
$$;
comment on function app.discussion_despite_blocks is
  'Returns a discussion in a Hub of the caller, also one that a block hides; null for any other (docs/product.md D11).';
grant execute on function app.discussion_despite_blocks to authenticated;

create function app.is_post_across_block(p_post_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from app.posts as p join app.blocked_users as b on b.user_id = p.author_id where p.id = p_post_id
  );
end
$$;
comment on function app.is_post_across_block is
  'Returns whether the caller and the author of a post are a blocked pair.';
grant execute on function app.is_post_across_block to authenticated;

create function app.create_discussion() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.discussions (hub_id, post_id) values (new.hub_id, new.post_id);
  return null;
end
$$;
comment on function app.create_discussion is
  'Trigger: a post that comes into a Hub has a discussion there (docs/product.md D1).';

create trigger placements_open_discussion_after_insert after insert on app.placements
for each row execute function app.create_discussion();

create function app.hide_discussions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update app.discussions as d set is_hidden = new.removed_at is not null where d.post_id = new.id;
  return null;
end
$$;
comment on function app.hide_discussions is
  'Trigger: hides the discussions of a post that staff removes, and shows those of one that it restores.';

create trigger posts_hide_discussions_after_update after update of removed_at on app.posts
for each row when ((old.removed_at is null) <> (new.removed_at is null))
execute function app.hide_discussions();
