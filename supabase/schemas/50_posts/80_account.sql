create function app.move_posts(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.articles set author_id = p_into where author_id = p_from;
  update app.posts set author_id = p_into where author_id = p_from;
  with gone as (
    delete from app.saved_posts as s where s.user_id = p_from returning s.*
  )
  insert into app.saved_posts (user_id, post_id, saved_at)
  select p_into, gone.post_id, gone.saved_at from gone
  on conflict do nothing;
  -- Of two shares of a post the later one counts.
  delete from app.feed_shares as own
  using app.feed_shares as later
  where own.user_id = p_into and later.user_id = p_from and later.post_id = own.post_id
    and later.shared_at > own.shared_at;
  update app.feed_shares as s
  set user_id = p_into
  where s.user_id = p_from
    and not exists (select from app.feed_shares as own where own.user_id = p_into and own.post_id = s.post_id);
  delete from app.feed_shares where user_id = p_from;
  perform app.record_activity(e.kind, p_into, e.post_id, e.occurred_at)
  from app.feed_events as e
  where e.actor_id = p_from and e.ended_at is null;
  delete from app.feed_events where actor_id = p_from;
  perform app.count_trending(kind.name, p_into, moved.post_id)
  from unnest(array['reposted', 'shared_to_feed']) as kind (name)
  cross join lateral app.move_trending(p_from, p_into, kind.name) as moved (post_id);
end
$$;
comment on function app.move_posts is
  'Moves posts, saved posts, feed shares and feed events of a merged account (docs/product.md I16).';

create function app.erase_saved_posts(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.feed_changes where subject_id = p_user_id;
  delete from app.saved_posts where user_id = p_user_id;
end;
comment on function app.erase_saved_posts is 'Deletes the saved posts of an ended account (docs/product.md I17).';

-- Each batch is a transaction of its own, which locks posts in the order of their ids.
--
-- Returns whether more may be left.
create function app.erase_posts(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_post_ids uuid[] := array(
    select p.id from app.posts as p where p.author_id = p_user_id order by p.id limit 200
  );
begin
  if v_post_ids = '{}' then
    delete from app.articles as a
    where a.author_id = p_user_id and not exists (select from app.posts as p where p.article_id = a.id);
    return false;
  end if;
  perform from app.posts as p
  where p.id in (
    select unnest(v_post_ids)
    union all
    select own.source_post_id from app.posts as own where own.id = any (v_post_ids)
  )
  order by p.id
  for no key update;
  perform from app.posts as p where p.id = any (v_post_ids) order by p.id for update;
  delete from app.posts as p where p.id = any (v_post_ids);
  return true;
end
$$;
comment on function app.erase_posts is 'Deletes a batch of the posts of an ended account.';

-- Posts come before what is about them in the lock order. Locked rows are left to the next batch. Shares into
-- Hubs stay, without who made them.
--
-- Returns whether more is left.
create function app.erase_feed_events(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.feed_shares
  where ctid in (
    select s.ctid
    from app.feed_shares as s
    join app.posts as p on p.id = s.post_id
    where s.user_id = p_user_id
    order by p.id
    limit 1000
    for no key update of p skip locked
    for update of s skip locked
  );
  update app.placements
  set placed_by = null
  where ctid in (
    select p.ctid from app.placements as p where p.placed_by = p_user_id limit 1000 for no key update skip locked
  );
  update app.feed_events
  set actor_id = null
  where ctid in (
    select e.ctid
    from app.feed_events as e
    where e.actor_id = p_user_id and e.kind = 'shared_to_hub'
    limit 1000
    for no key update skip locked
  );
  update app.feed_events
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  where ctid in (
    select e.ctid
    from app.feed_events as e
    where e.actor_id = p_user_id and e.kind <> 'shared_to_hub' and e.ended_at is null
    limit 1000
    for no key update skip locked
  );
  return exists (select from app.feed_shares where user_id = p_user_id)
    or exists (select from app.placements where placed_by = p_user_id)
    or exists (
      select from app.feed_events where actor_id = p_user_id and (kind = 'shared_to_hub' or ended_at is null)
    );
end
$$;
comment on function app.erase_feed_events is 'Erases a batch of the shares and feed events of an ended account.';

-- Posts come before what is about them in the lock order, and their deletion takes that along. Locked rows
-- are left to the next batch.
--
-- Returns whether more may be left.
create function app.close_hub_placements(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.placements as p
  where p.hub_id = p_hub_id and p.post_id in (
    select post.id
    from app.posts as post
    where post.id in (select old.post_id from app.placements as old where old.hub_id = p_hub_id limit 1000)
    for key share skip locked
  );
  return found or exists (select from app.placements as p where p.hub_id = p_hub_id);
end
$$;
comment on function app.close_hub_placements is 'Deletes a batch of the placements in a closed Hub.';

-- Returns whether more may be left.
create function app.close_hub_feed_events(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.feed_events as e
  where e.ctid in (
    select old.ctid
    from app.feed_events as old
    join app.posts as post on post.id = old.post_id
    where old.hub_id = p_hub_id
    limit 5000
    for key share of post skip locked
    for update of old skip locked
  );
  return found or exists (select from app.feed_events as e where e.hub_id = p_hub_id);
end
$$;
comment on function app.close_hub_feed_events is 'Deletes a batch of the feed events of a closed Hub.';

-- It includes posts that are hidden from the caller now.
create function app.export_feed_shares() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('shareId', s.id, 'postId', s.post_id, 'sharedAt', app.iso(s.shared_at))
  from app.feed_shares as s
  where s.user_id = app.user_id()
  order by s.shared_at desc, s.post_id desc
  limit 100000;
end;
comment on function app.export_feed_shares is 'Returns the section feedShares of the export.';
grant execute on function app.export_feed_shares to authenticated;

-- A definer function, because no policy shows who placed a post.
create function app.export_placements() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object('postId', p.post_id, 'hubId', p.hub_id, 'kind', p.kind, 'placedAt', app.iso(p.placed_at))
  from app.placements as p
  where p.placed_by = app.user_id()
  order by p.placed_at desc, p.post_id desc, p.hub_id desc
  limit 100000;
end;
comment on function app.export_placements is
  'Returns the section hubPlacements of the export: what the caller published in or shared into Hubs, with Hubs that '
  'they left.';
grant execute on function app.export_placements to authenticated;

-- One statement builds all items: a statement per post, under the policies of posts and articles, costs
-- thirty times as much.
create view app.authored_posts with (security_invoker = true) as
select
  p.id,
  p.source_post_id is not null as is_repost,
  p.created_at,
  jsonb_build_object(
    'id', p.id,
    'sourcePostId', p.source_post_id,
    'article', case when a.id is not null then jsonb_build_object(
      'url', a.url,
      'title', a.title,
      'text', a.body,
      'assetIds', case
        when a.media_count > 0 then array(
          select m.asset_id from app.article_assets as m where m.article_id = a.id order by m.place
        )
        else '{}'
      end,
      'altTexts', case
        when a.media_count > 0 then array(
          select m.alt_text from app.article_assets as m where m.article_id = a.id order by m.place
        )
        else '{}'
      end
    ) end,
    'thoughtText', p.thought_text,
    'sliderText', p.slider_text,
    'slider', app.post_slider(p),
    'visibility', p.visibility,
    'createdAt', app.iso(p.created_at)
  ) as item
from app.posts as p
left join app.articles as a on a.id = p.article_id and a.author_id = p.author_id
where p.author_id = (select app.user_id());
comment on view app.authored_posts is 'The caller''s posts for the export, without the originals of reposts.';
grant select on app.authored_posts to authenticated;

create function app.export_posts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select f.item
  from app.authored_posts as f
  where not f.is_repost
  order by f.created_at desc, f.id desc
  limit 100000;
end;
comment on function app.export_posts is 'Returns the section posts of the export.';
grant execute on function app.export_posts to authenticated;

create function app.export_reposts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select f.item
  from app.authored_posts as f
  where f.is_repost
  order by f.created_at desc, f.id desc
  limit 100000;
end;
comment on function app.export_reposts is 'Returns the section reposts of the export, without their originals.';
grant execute on function app.export_reposts to authenticated;

create function app.export_saved_posts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('postId', s.post_id, 'savedAt', app.iso(s.saved_at))
  from app.saved_posts as s
  where s.user_id = app.user_id()
  order by s.saved_at desc, s.post_id desc
  limit 100000;
end;
comment on function app.export_saved_posts is 'Returns the section savedPosts of the export.';
grant execute on function app.export_saved_posts to authenticated;
