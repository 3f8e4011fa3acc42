create function app.note_feed_share()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.note_act('shared_to_feed', new.user_id, new.post_id, new.shared_at);
  perform app.raise_trending_score(new.post_id, 2);
  perform app.emit('post_shared_to_feed', p_actor_id => new.user_id, p_post_id => new.post_id);
  return null;
end
$$;
comment on function app.note_feed_share() is 'After somebody has shared a post to their feed, again or for the first time: brings it into the feeds of others, and tells of it.';

revoke all on function app.note_feed_share() from public;
