create function app.own_profile()
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'id', u.id,
      'name', p.full_name,
      'fullName', p.full_name,
      'username', p.username,
      'bio', p.bio,
      'profilePhotoUrl', null,
      'isAnonymous', p.user_id is null,
      'phoneNumber', u.phone,
      'level', app.level_of(u.id),
      'createdAt', app.iso(u.created_at),
      'counts', jsonb_build_object('followers', 0, 'following', 0),
      'activity', jsonb_build_object(
        'posts', (select count(*) from app.posts as post where post.author_id = u.id),
        'reposts', 0,
        'comments', 0,
        'votes', (select count(*) from app.vote_receipts as r where r.user_id = u.id)
      ),
      'adminHubs', '[]'::jsonb,
      'viewer', jsonb_build_object('follows', false, 'followedBy', false, 'blocking', false, 'publicPostsMuted', false),
      'editable', jsonb_build_object('fullName', p.full_name, 'username', p.username, 'bio', p.bio, 'profileAssetId', null)
    )
    from app.users as u
    left join app.profiles as p on p.user_id = u.id
    where u.id = (select app.user_id())
  );
end
$$;
comment on function app.own_profile() is 'The caller''s own profile (contract.md 6): the public one and what only its owner sees. What nobody can do yet (follow, block, repost, comment, run a Hub) counts zero.';

revoke all on function app.own_profile() from public;
grant execute on function app.own_profile() to authenticated;
