create function app.note_publications()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.note_act('published', p.author_id, p.id, p.created_at) from present as p;
  perform app.note_act('reposted', p.author_id, p.source_post_id, p.created_at) from present as p where p.source_post_id is not null;
  update app.posts as s
  set repost_count = s.repost_count + made.count
  from (
    select p.source_post_id, count(*) from present as p where p.source_post_id is not null group by p.source_post_id
  ) as made
  where s.id = made.source_post_id;
  perform app.raise_trending_score(made.source_post_id, 3 * made.count)
  from (
    select p.source_post_id, count(*) from present as p where p.source_post_id is not null group by p.source_post_id
  ) as made;
  perform app.emit('post_reposted', p_actor_id => p.author_id, p_post_id => p.id)
  from present as p
  where p.source_post_id is not null and p.visibility <> 'private_locked_hub';
  perform app.emit('followed_user_posted', p_actor_id => p.author_id, p_post_id => p.id)
  from present as p
  where p.visibility <> 'private_locked_hub';
  return null;
end
$$;
comment on function app.note_publications() is 'After posts were published: brings them into feeds, counts reposts at their originals, and tells of them. One for Hubs alone is told of where it is placed.';

revoke all on function app.note_publications() from public;
