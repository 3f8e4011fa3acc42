create function staff.why_visible(p_viewer_id uuid, p_post_id uuid)
returns table (rule text, holds boolean, detail text)
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_claims text := current_setting('request.jwt.claims', true);
  v_post app.posts;
  v_is_public boolean;
  v_is_own boolean;
  v_is_hidden boolean;
  v_hubs text;
begin
  perform staff.audit(staff.actor(), 'why_visible', jsonb_build_object('viewerId', p_viewer_id, 'postId', p_post_id));
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_viewer_id)::text, true);
  select * into v_post from app.posts as p where p.id = p_post_id;
  v_is_own := coalesce(v_post.author_id = p_viewer_id, false);
  v_is_public := coalesce(v_post.visibility in ('public', 'public_hub'), false);
  v_is_hidden := exists (select from app.hidden_users as h where h.user_id = v_post.author_id);
  v_hubs := (
    select string_agg(h.name, ', ' order by h.name)
    from app.placements as t
    join app.my_hubs as mine on mine.hub_id = t.hub_id
    join app.hubs as h on h.id = t.hub_id
    where t.post_id = p_post_id
  );
  return query
  values
    ('the post is there', v_post.id is not null, null),
    ('the viewer wrote it', v_is_own, 'authors see their own posts, wherever they are'),
    ('it is public', v_is_public, v_post.visibility::text),
    ('it is in a Hub of the viewer''s', v_hubs is not null, v_hubs),
    (
      'no block stands between author and viewer',
      not exists (select from app.blocked_users as b where b.user_id = v_post.author_id), 'whoever made it'
    ),
    ('the author''s account has not ended', not exists (select from app.departures as d where d.user_id = v_post.author_id), null),
    ('the author is not suspended', not exists (select from app.suspensions as s where s.user_id = v_post.author_id), null),
    (
      'so the viewer sees it',
      v_post.id is not null and (v_is_own or (v_is_public or v_hubs is not null) and not v_is_hidden),
      'the viewer''s own, or public or in a Hub of theirs, and nothing between them'
    );
  perform set_config('request.jwt.claims', coalesce(v_claims, ''), true);
end
$$;
comment on function staff.why_visible(uuid, uuid) is 'Why somebody (null: a guest) sees a post or does not: each rule of the policy posts_select, whether it holds for them, and the sum. Names of Hubs in which both are; nothing of what the post says. That somebody asked is written down.';

revoke all on function staff.why_visible(uuid, uuid) from public;
grant execute on function staff.why_visible(uuid, uuid) to staff_moderator;
