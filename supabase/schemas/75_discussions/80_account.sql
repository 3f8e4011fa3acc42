create function app.erase_discussions(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.saved_discussions where user_id = p_user_id;
  delete from app.discussion_reads where user_id = p_user_id;
end;
comment on function app.erase_discussions is
  'Deletes what an ended account saved and read of discussions (docs/product.md I17).';

-- Deletions of posts and Hubs lock rows in another order, so a batch skips what they have locked.
--
-- Returns whether more are left.
create function app.erase_messages(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_discussion_ids uuid[] := array(
    select d.id
    from app.discussions as d
    where d.id in (select m.discussion_id from app.messages as m where m.author_id = p_user_id limit 1000)
    for no key update skip locked
  );
begin
  with emptied as (
    update app.messages as m
    set author_id = null, asset_id = null, alt_text = null
    where m.id in (
      select own.id
      from app.messages as own
      where own.author_id = p_user_id and own.discussion_id = any (v_discussion_ids)
      limit 1000
      for no key update skip locked
    )
    returning m.discussion_id, m.body
  )
  update app.discussions as d
  set message_count = d.message_count - gone.count
  -- A picture without text no longer counts.
  from (select e.discussion_id, count(*) from emptied as e where e.body is null group by 1) as gone
  where d.id = gone.discussion_id;
  return exists (select from app.messages where author_id = p_user_id);
end
$$;
comment on function app.erase_messages is
  'Takes author and picture off a batch of the messages of an ended account (docs/product.md I18).';

-- Returns whether more may be left.
create function app.close_hub_discussions(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.messages as m
  where m.id in (
    select old.id
    from app.discussions as d
    join app.posts as post on post.id = d.post_id
    join app.messages as old on old.discussion_id = d.id
    where d.hub_id = p_hub_id
    limit 5000
    for key share of post skip locked
    for update of old skip locked
  );
  return found or exists (
    select from app.discussions as d join app.messages as m on m.discussion_id = d.id where d.hub_id = p_hub_id
  );
end
$$;
comment on function app.close_hub_discussions is 'Deletes a batch of the messages of a closed Hub.';

create function app.export_discussion_reads() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('discussionId', r.discussion_id, 'readUntil', app.iso(r.read_until))
  from app.discussion_reads as r
  where r.user_id = app.user_id()
  order by r.read_until desc, r.discussion_id desc
  limit 100000;
end;
comment on function app.export_discussion_reads is 'Returns the section discussionReads of the export.';
grant execute on function app.export_discussion_reads to authenticated;

-- A definer function, because it includes Hubs that the caller left, and no policy shows these. It holds the
-- caller's own words only: neither the discussion nor the person addressed.
create function app.export_messages() returns setof jsonb
language sql stable security definer set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', m.id, 'hubId', m.hub_id, 'text', m.body, 'assetId', m.asset_id, 'altText', m.alt_text, 'createdAt',
    app.iso(m.created_at)
  )
  from app.messages as m
  where m.author_id = app.user_id()
  order by m.created_at desc, m.id desc
  limit 100000;
end;
comment on function app.export_messages is 'Returns the section messages of the export.';
grant execute on function app.export_messages to authenticated;

create function app.export_saved_discussions() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('discussionId', s.discussion_id, 'savedAt', app.iso(s.saved_at))
  from app.saved_discussions as s
  where s.user_id = app.user_id()
  order by s.saved_at desc, s.discussion_id desc
  limit 100000;
end;
comment on function app.export_saved_discussions is 'Returns the section savedDiscussions of the export.';
grant execute on function app.export_saved_discussions to authenticated;
