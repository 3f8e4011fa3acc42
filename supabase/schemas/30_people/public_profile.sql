create function app.public_profile(p_user_id uuid)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'id', person.id,
      'name', p.full_name,
      'username', p.username,
      'bio', p.bio,
      'profilePhotoUrl', app.photo_url(p.photo_asset_id),
      'isAnonymous', p.user_id is null,
      'counts', jsonb_build_object('followers', coalesce(c.follower_count, 0), 'following', coalesce(c.following_count, 0)),
      'activity', jsonb_build_object(
        'posts', published.post_count,
        'reposts', published.repost_count,
        'comments', app.comment_count(person.id),
        'votes', app.vote_count(person.id)
      ),
      'adminHubs', app.admin_hubs(person.id),
      'viewer', app.viewer_relation(person.id)
    )
    from (values (p_user_id)) as person (id)
    left join app.profiles as p on p.user_id = person.id
    left join app.follow_counts as c on c.user_id = person.id
    cross join lateral (
      select count(*) filter (where post.source_post_id is null) as post_count, count(post.source_post_id) as repost_count
      from app.posts as post
      where post.author_id = person.id
    ) as published
  );
end
$$;
comment on function app.public_profile(uuid) is 'The public profile of somebody (contract.md 6), as far as the caller sees it.';

revoke all on function app.public_profile(uuid) from public;
grant execute on function app.public_profile(uuid) to anon, authenticated;
