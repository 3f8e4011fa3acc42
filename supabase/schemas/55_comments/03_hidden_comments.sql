-- Keeps blocks between a person and the author of a post from changing until the end of the transaction.
--
-- A comment would otherwise miss a block that is made at the same time, and the block the comment. The lock
-- is shared, so comments do not wait for each other. The author of a post changes by a merge, which waits for
-- this lock.
create function app.lock_pair_of(p_post_id uuid, p_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_author_id uuid;
begin
  loop
    v_author_id := (select p.author_id from app.posts as p where p.id = p_post_id);
    exit when v_author_id is null or v_author_id = p_user_id;
    perform app.lock_pair(p_user_id, v_author_id, p_is_shared => true);
    exit when v_author_id = (select p.author_id from app.posts as p where p.id = p_post_id);
  end loop;
end
$$;
comment on function app.lock_pair_of is
  'Makes a comment wait for blocks between its writer and the author of the post.';
grant execute on function app.lock_pair_of to authenticated;

create function app.is_across_block(p_post_id uuid, p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from app.posts as p
    join app.blocked_pairs as b on b.user_id = p.author_id and b.other_id = p_user_id
    where p.id = p_post_id
  );
end
$$;
comment on function app.is_across_block is 'Returns whether a user and the author of a post are a blocked pair.';

-- Hides the comments of each of two people under the posts of the other while they are a blocked pair, else
-- shows them.
--
-- Counts follow, and notifications by a trigger. It costs what the two wrote. Posts before what is about
-- them, as everywhere: a deletion of a comment comes before or after. A concurrent comment of one of them
-- waits (app.lock_pair_of).
create function app.update_hidden_comments(p_one uuid, p_other uuid) returns void
language plpgsql set search_path = '' as $$
declare
  v_is_hidden boolean := exists (
    select from app.blocked_pairs as b where b.user_id = p_one and b.other_id = p_other
  );
  v_sign integer := case when v_is_hidden then -1 else 1 end;
  v_post_ids uuid[] := array(
    select p.id
    from app.posts as p
    where p.author_id in (p_one, p_other) and exists (
      select
      from app.comments as c
      where c.post_id = p.id and c.author_id in (p_one, p_other) and c.author_id <> p.author_id
        and c.is_hidden <> v_is_hidden
    )
    order by p.id
    for no key update
  );
  v_changed app.comments[];
begin
  if v_post_ids = '{}' then
    return;
  end if;
  with changed as (
    update app.comments as c
    set is_hidden = v_is_hidden
    from app.posts as p
    where p.id = any (v_post_ids) and c.post_id = p.id and c.author_id in (p_one, p_other)
      and c.author_id <> p.author_id and c.is_hidden <> v_is_hidden
    returning c as comment
  )
  select array_agg(changed.comment) into v_changed from changed;
  update app.comments as root
  set reply_count = root.reply_count + v_sign * reply.count
  from (
    select c.parent_id, count(*) from unnest(v_changed) as c where c.parent_id is not null group by c.parent_id
  ) as reply
  where root.id = reply.parent_id;
  update app.posts as p
  set comment_count = p.comment_count + v_sign * counted.count
  from (select c.post_id, count(*) from unnest(v_changed) as c group by c.post_id) as counted
  where p.id = counted.post_id;
end
$$;
comment on function app.update_hidden_comments is
  'Hides or shows what two people wrote under the posts of each other (docs/product.md C7).';

create function app.on_blocks_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.update_hidden_comments(pair.one, pair.other)
  from (
    select distinct least(b.blocker_id, b.blocked_id) as one, greatest(b.blocker_id, b.blocked_id) as other
    from changed as b
    order by 1, 2
  ) as pair;
  return null;
end
$$;
comment on function app.on_blocks_change is
  'Trigger: hides or shows the comments between people who are now, or no more, a blocked pair.';

create trigger blocks_hide_comments_after_insert after insert on app.blocks
referencing new table as changed
for each statement execute function app.on_blocks_change();

create trigger blocks_show_comments_after_delete after delete on app.blocks
referencing old table as changed
for each statement execute function app.on_blocks_change();
