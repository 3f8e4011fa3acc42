create function app.note_comment()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  update app.comments as c set reply_count = c.reply_count + 1 where c.id = new.parent_id;
  update app.posts as p
  set comment_count = p.comment_count + 1
  where p.id = new.post_id;
  perform app.raise_trending_score(new.post_id, 2);
  perform app.note_act('commented', new.author_id, new.post_id, new.created_at);
  perform app.emit('post_commented', p_actor_id => new.author_id, p_post_id => new.post_id, p_comment_id => new.id);
  return null;
end
$$;
comment on function app.note_comment() is 'After somebody has commented: counts it, brings the post into the feeds of others, and tells of it.';

revoke all on function app.note_comment() from public;
