-- Publishes a post of the caller and places it in its Hubs. It reads every text before it checks the limit of
-- the caller, and writes nothing before that (docs/product.md W24).
--
-- Args: p_args (thoughtText, sliderText, slider, visibility, hubIds), p_article (null, or url, title, text,
-- and media or assetIds), p_source_post_id (the original of a repost, or null). Returns the id.
create function app.insert_post(p_args jsonb, p_article jsonb, p_source_post_id uuid) returns uuid
language plpgsql set search_path = '' as $$
declare
  v_hub_ids uuid[] := app.ids_argument(p_args, 'hubIds', 0, 20);
  v_media jsonb := app.media_argument(p_article);
  v_url text := app.text_argument(p_article, 'url', p_max => 2000, p_within => 'article');
  v_title text := app.text_argument(p_article, 'title', p_within => 'article');
  v_body text := app.text_argument(p_article, 'text', p_within => 'article');
  v_thought_text text := app.text_argument(p_args, 'thoughtText');
  v_slider_text text := app.text_argument(p_args, 'sliderText');
  v_slider jsonb := app.argument(p_args, 'slider', 'object');
  v_left_label text := app.text_argument(v_slider, 'leftLabel', p_within => 'slider');
  v_right_label text := app.text_argument(v_slider, 'rightLabel', p_within => 'slider');
  v_article_id uuid;
  -- No "returning": the policy of posts looks the post up, and a statement does not see what it inserts.
  v_post_id uuid := app.uuid_v7();
begin
  if v_slider_text is null and v_slider is not null then
    perform app.refuse_argument('{slider}', 'missing_text', 'The slider needs a text.');
  elsif v_slider_text is not null and v_slider is null then
    v_left_label := 'Disagree';
    v_right_label := 'Agree';
  end if;
  perform app.check_limit('posts');
  if p_article is not null then
    insert into app.articles (author_id, url, title, body, media_count)
    values (app.user_id(), v_url, v_title, v_body, jsonb_array_length(v_media))
    returning id into v_article_id;
    perform app.attach_media(
      v_article_id, v_media, case when p_article ->> 'media' is null then 'assetIds' else 'media' end
    );
  end if;
  -- Memberships come before the author and the original: see "Lock order" in docs/architecture.md.
  perform app.lock_own_memberships(v_hub_ids);
  insert into app.posts (
    id, author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility
  )
  values (
    v_post_id, app.user_id(), v_article_id, p_source_post_id, v_thought_text, v_slider_text, v_left_label,
    v_right_label, (p_args ->> 'visibility')::app.post_visibility
  );
  perform app.insert_placements(v_post_id, v_hub_ids, 'targeted');
  perform app.use_limit('posts');
  return v_post_id;
end
$$;
comment on function app.insert_post is
  'Publishes a post of the caller with its article and places it in its Hubs (docs/product.md W24, PO1-PO3).';
grant execute on function app.insert_post to authenticated;

-- Args: p_article. Returns an array of assetId and altText. Errors: VALIDATION_FAILED.
create function app.media_argument(p_article jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_media jsonb := app.items_argument(p_article, 'media', 0, 10, 'article');
  v_ids jsonb := jsonb_path_query_array(v_media, 'strict $[*] ? (@.type() == "object").assetId', silent => true);
begin
  if coalesce(p_article -> 'media', 'null') = 'null' then
    return (
      select coalesce(jsonb_agg(jsonb_build_object('assetId', given.id) order by given.place), '[]')
      from unnest(app.ids_argument(p_article, 'assetIds', 0, 10, 'article')) with ordinality as given (id, place)
    );
  end if;
  if coalesce(p_article -> 'assetIds', 'null') <> 'null' then
    perform app.refuse_argument('{article,media}', 'not_with_asset_ids', 'Give media or assetIds, not both.');
  end if;
  if jsonb_array_length(v_ids) <> jsonb_array_length(v_media) then
    perform app.refuse_argument('{article,media}', 'required', 'Each entry needs an assetId.');
  end if;
  perform app.ids_argument(jsonb_build_object('media', v_ids), 'media', 0, 10, 'article');
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'assetId', given.item -> 'assetId', 'altText', app.alt_text_argument(given.item, 'article')
    ) order by given.place), '[]')
    from jsonb_array_elements(v_media) with ordinality as given (item, place)
  );
end
$$;
comment on function app.media_argument is
  'Reads the files of a new article (docs/product.md M7): media, or in its place assetIds.';
grant execute on function app.media_argument to authenticated;

-- Args: p_article_id, p_media (of app.media_argument), p_name (the argument that they came in, for the path
-- of an error). Raises VALIDATION_FAILED for an asset that is no post image or document of the caller.
create function app.attach_media(p_article_id uuid, p_media jsonb, p_name text) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.require_asset(
    (given.item ->> 'assetId')::uuid, array['post_image', 'document']::app.upload_purpose[],
    jsonb_build_array('article', p_name, given.place - 1)
  )
  from jsonb_array_elements(p_media) with ordinality as given (item, place);
  insert into app.article_assets (article_id, place, asset_id, alt_text)
  select p_article_id, given.place, (given.item ->> 'assetId')::uuid, given.item ->> 'altText'
  from jsonb_array_elements(p_media) with ordinality as given (item, place);
end
$$;
comment on function app.attach_media is 'Attaches files, in order, to an article of the caller.';
grant execute on function app.attach_media to authenticated;

-- Errors: UNAUTHORIZED, FORBIDDEN (below that level), VALIDATION_FAILED (a public post with hubIds, any other
-- without 1 to 20).
create function app.require_destination(p_args jsonb) returns void
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(case p_args ->> 'visibility' when 'public' then 3 else 4 end);
  perform app.require_arguments(p_args, 'visibility');
  if app.choice_argument(p_args, 'visibility', variadic enum_range(null::app.post_visibility)::text[]) = 'public' then
    perform app.ids_argument(p_args, 'hubIds', 0, 0);
  else
    perform app.ids_argument(p_args, 'hubIds', 1, 20);
  end if;
end
$$;
comment on function app.require_destination is
  'Raises unless the caller may publish with the visibility of p_args: public from level 3 on, into Hubs from level 4 '
  'on.';
grant execute on function app.require_destination to authenticated;

-- Returns the Hubs in which it was not before, null for none. Errors: those of app.lock_member,
-- POST_NOT_FOUND, FORBIDDEN (non-member of a Hub).
create function app.insert_placements(p_post_id uuid, p_hub_ids uuid[], p_kind app.placement_kind) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  v_placed_in uuid[];
begin
  perform app.lock_own_memberships(p_hub_ids);
  -- A vote that does not see these placements waits for this lock (app.count_in_new_hubs).
  perform pg_advisory_xact_lock(app.placements_key(p_post_id));
  with placed as (
    insert into app.placements (post_id, hub_id, kind, placed_by)
    select (app.require_post(p_post_id)).id, target.id, p_kind, app.user_id()
    from unnest(p_hub_ids) as target (id)
    order by target.id
    on conflict (post_id, hub_id) do nothing
    returning hub_id
  )
  select array_agg(placed.hub_id) into v_placed_in from placed;
  return v_placed_in;
end
$$;
comment on function app.insert_placements is 'Places a post that the caller may see in Hubs of theirs.';
grant execute on function app.insert_placements to authenticated;

-- app.record_placements emits those of Hubs, and of mentions in posts for Hubs.
create function app.record_publications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.record_activity('published', p.author_id, p.id, p.created_at) from present as p;
  perform app.record_activity('reposted', p.author_id, p.source_post_id, p.created_at)
  from present as p
  where p.source_post_id is not null;
  update app.posts as s
  set repost_count = s.repost_count + made.count
  from (
    select p.source_post_id, count(*) from present as p where p.source_post_id is not null group by p.source_post_id
  ) as made
  where s.id = made.source_post_id;
  perform app.count_trending('reposted', p.author_id, p.source_post_id)
  from present as p
  where p.source_post_id is not null;
  perform app.emit('post_reposted', p_actor_id => p.author_id, p_post_id => p.id)
  from present as p
  where p.source_post_id is not null and p.is_public;
  perform app.emit('followed_user_posted', p_actor_id => p.author_id, p_post_id => p.id)
  from present as p
  where p.is_public;
  perform app.emit('user_mentioned', p_actor_id => p.author_id, p_post_id => p.id)
  from present as p
  where p.visibility = 'public' and app.usernames_in(p.thought_text) <> '{}';
  return null;
end
$$;
comment on function app.record_publications is
  'Trigger: adds new posts to feeds, counts and scores reposts at their originals, and emits the events of public '
  'posts.';

create function app.record_placements() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_placed record;
begin
  -- Ordered by Hub, so that concurrent placements in the same Hubs do not deadlock.
  for v_placed in
    select placed.*, not p.is_public as is_private, p.source_post_id is not null as is_repost
    from present as placed
    join app.posts as p on p.id = placed.post_id
    order by placed.hub_id
  loop
    perform app.record_hub_activity(v_placed.hub_id);
    insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
    values (
      v_placed.hub_id, v_placed.placed_by, v_placed.post_id,
      case v_placed.kind when 'targeted' then 'targeted'::app.feed_event_kind else 'shared_to_hub' end,
      v_placed.placed_at
    );
    perform app.emit(
      case
        when v_placed.kind = 'targeted' and not v_placed.is_repost then 'hub_post_created'::app.event_type
        else 'post_shared_to_hub'
      end,
      p_actor_id => v_placed.placed_by, p_hub_id => v_placed.hub_id, p_post_id => v_placed.post_id
    );
    if v_placed.kind = 'targeted' and v_placed.is_repost and v_placed.is_private then
      perform app.emit(
        'post_reposted', p_actor_id => v_placed.placed_by, p_hub_id => v_placed.hub_id, p_post_id => v_placed.post_id
      );
    end if;
  end loop;
  -- Once for all Hubs, and after their events: a mention notifies nobody whom another event notifies of the text.
  perform app.emit('user_mentioned', p_actor_id => p.author_id, p_post_id => p.id)
  from app.posts as p
  where p.id in (select placed.post_id from present as placed where placed.kind = 'targeted')
    and app.usernames_in(p.thought_text) <> '{}';
  return null;
end
$$;
comment on function app.record_placements is
  'Trigger: updates the activity of the Hub of each new placement, adds the post to the feeds of members, and emits '
  'the events (docs/product.md N3).';

create trigger posts_record_after_insert after insert on app.posts
referencing new table as present
for each statement execute function app.record_publications();

create trigger placements_record_after_insert after insert on app.placements
referencing new table as present
for each statement execute function app.record_placements();
