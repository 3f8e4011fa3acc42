-- Who sees a post, but for a block: its author; and of a public post everybody, of a private one the members
-- of its Hubs, unless its author is hidden from everybody.
create function app.posts_despite_blocks(p_viewer_id uuid) returns setof app.posts
language sql stable
as $$
  select p.*
  from app.posts as p
  where p.removed_at is null
    and (
      p.author_id = p_viewer_id
      or (
        (
          p.is_public
          or exists (
            select
            from app.placements as t
            join app.memberships as m on m.hub_id = t.hub_id and m.user_id = p_viewer_id
            where t.post_id = p.id
          )
        )
        and not exists (select from app.users_hidden_from_all as h where h.user_id = p.author_id)
      )
    );
$$;
comment on function app.posts_despite_blocks is
  'Returns the posts that a person may see but for a block, as reports ask (docs/product.md S8).';

-- The rule of who sees a post. Whatever asks it asks here: definer functions for their caller, policies by
-- app.sees_post, and notifications, mentions and staff for somebody else.
--
-- It is inlined into FROM, and reads with the rights of its callers, so these are definer functions and
-- views. Args: p_viewer_id (a variable or a column; null for a guest).
create function app.seen_posts(p_viewer_id uuid) returns setof app.posts
language sql stable
as $$
  select p.*
  from app.posts_despite_blocks(p_viewer_id) as p
  where not exists (select from app.blocked_pairs as b where b.user_id = p_viewer_id and b.other_id = p.author_id);
$$;
comment on function app.seen_posts is 'Returns the posts that a person may see (docs/product.md PO13, PO14).';

-- A definer function, because a policy cannot query its own table, and what app.seen_posts reads is not for
-- callers.
create function app.sees_post(p_post_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_viewer_id uuid := app.user_id();
begin
  return exists (select from app.seen_posts(v_viewer_id) as p where p.id = p_post_id);
end
$$;
comment on function app.sees_post is 'Returns whether the caller may see a post (app.seen_posts).';
grant execute on function app.sees_post to anon, authenticated;

-- Returns whether a post has two or more of the target Hubs of its publication left. A suspended Hub counts,
-- a closed one does not. A definer function, because policies hide placements and Hubs from some viewers.
create function app.has_several_targets(p_post_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select count(*) > 1
    from app.placements as t
    join app.hubs as h on h.id = t.hub_id and h.closed_at is null
    where t.post_id = p_post_id and t.kind = 'targeted'
  );
end
$$;
comment on function app.has_several_targets is
  'Returns whether a post has two or more target Hubs left (docs/product.md PO11).';
grant execute on function app.has_several_targets to anon, authenticated;

create function app.is_shareable(p_post app.posts) returns boolean language sql stable
return p_post.is_public or app.has_several_targets(p_post.id);
comment on function app.is_shareable is
  'Returns whether a post is shareable: it is public or has several target Hubs (docs/product.md PO11).';
grant execute on function app.is_shareable to anon, authenticated;

-- A definer function, because the policy of posts costs more than the post. Raises POST_NOT_FOUND for any
-- other.
create function app.require_post(p_post_id uuid) returns app.posts
language plpgsql stable security definer set search_path = '' as $$
declare
  v_viewer_id uuid := app.user_id();
  v_post app.posts;
begin
  select * into v_post from app.seen_posts(v_viewer_id) as p where p.id = p_post_id;
  if v_post.id is null then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return v_post;
end
$$;
comment on function app.require_post is 'Returns a post that the caller may see.';
grant execute on function app.require_post to anon, authenticated;

create function app.is_repostable(p_post app.posts) returns boolean language sql stable
return p_post.source_post_id is null and app.is_shareable(p_post);
comment on function app.is_repostable is
  'Returns whether a post that the caller sees can be reposted: an original, and shareable (docs/product.md PO4).';
grant execute on function app.is_repostable to authenticated;

-- The policy of app.posts needs a function, because it cannot query its own table.
create function app.may_repost(p_post_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (select from app.posts as p where p.id = p_post_id and app.is_repostable(p));
end
$$;
comment on function app.may_repost is
  'Returns whether the caller sees the post and it can be reposted (app.is_repostable).';
grant execute on function app.may_repost to authenticated;

-- The policy of app.placements needs a function, because the policy of app.posts queries app.placements.
-- targeted: their own post, all targets in one statement; shared: any shareable post that they see.
create function app.may_place(p_post_id uuid, p_kind app.placement_kind) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select from app.posts as p
    where p.id = p_post_id and case p_kind
      when 'targeted' then p.author_id = app.user_id()
        and not exists (select from app.placements as t where t.post_id = p.id)
      else app.is_shareable(p)
    end
  );
end
$$;
comment on function app.may_place is 'Returns whether the caller may place a post in a Hub.';
grant execute on function app.may_place to authenticated;

create function app.post_slider(p_post app.posts) returns json
language sql stable
return case when p_post.slider_text is null then 'null'::json else json_object(
  'leftLabel': p_post.left_label, 'rightLabel': p_post.right_label
) end;
comment on function app.post_slider is
  'Returns the labels of the slider of a post (docs/product.md PO2); the JSON null without a slider.';
grant execute on function app.post_slider to authenticated;
