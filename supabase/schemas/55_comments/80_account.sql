-- So none is deleted while its comments, saves and feed events move.
--
-- Args: p_from, p_into.
create function app.lock_posts_to_move(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.posts as p
  where p.id in (
    select own.id from app.posts as own where own.author_id = p_from
    union all
    select c.post_id from app.comments as c where c.author_id = p_from
    union all
    select s.post_id from app.saved_posts as s where s.user_id = p_from
    union all
    select e.post_id from app.feed_events as e where e.actor_id = p_from
    union all
    -- What the blocks of p_from will hide or show for p_into.
    select p.id
    from app.blocked_pairs as b
    join app.posts as p on p.author_id in (b.other_id, p_into)
    join app.comments as c on c.post_id = p.id and c.author_id in (b.other_id, p_into) and c.author_id <> p.author_id
    where b.user_id = p_from
  )
  order by p.id
  for no key update;
end
$$;
comment on function app.lock_posts_to_move is 'Locks the posts that a merge changes, in the order of their ids.';

create function app.move_comments(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.comments set author_id = p_into where author_id = p_from;
  perform app.count_comments(p_into, moved.post_id)
  from app.move_trending(p_from, p_into, 'commented') as moved (post_id);
  perform app.update_hidden_comments(p_into, pair.other_id)
  from (select distinct b.other_id from app.blocked_pairs as b where b.user_id = p_into) as pair;
end
$$;
comment on function app.move_comments is
  'Moves the comments of a merged account, and hides what the blocks of both hide (docs/product.md I16, C7).';

-- Each batch is a transaction of its own, which locks posts in the order of their ids.
--
-- Returns whether more may be left.
create function app.erase_comments(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform app.delete_comment(c.id)
  from (select own.id from app.comments as own where own.author_id = p_user_id order by own.post_id limit 200) as c;
  return found;
end
$$;
comment on function app.erase_comments is 'Deletes a batch of the comments of an ended account.';

create function app.export_comments() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', c.id, 'postId', c.post_id, 'parentCommentId', c.parent_id, 'text', c.body, 'assetId', c.asset_id, 'altText',
    c.alt_text,
    'createdAt', app.iso(c.created_at)
  )
  from app.comments as c
  where c.author_id = app.user_id()
  order by c.created_at desc, c.id desc
  limit 100000;
end;
comment on function app.export_comments is 'Returns the section comments of the export.';
grant execute on function app.export_comments to authenticated;
