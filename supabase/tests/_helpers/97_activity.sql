create function tests.repost(p_name text, p_author text, p_source text, p_visibility app.post_visibility default 'public')
returns uuid
language sql
begin atomic
  insert into app.posts (id, author_id, source_post_id, thought_text, visibility)
  values (tests.id(p_name), tests.id(p_author), tests.id(p_source), p_name, p_visibility)
  returning id;
end;
comment on function tests.repost(text, text, text, app.post_visibility) is 'A repost with a thought and no slider.';

create function tests.comment(p_name text, p_author text, p_post text, p_parent text default null, p_created_at timestamptz default app.now())
returns uuid
language sql
begin atomic
  insert into app.comments (id, post_id, author_id, parent_id, body, created_at)
  values (tests.id(p_name), tests.id(p_post), tests.id(p_author), tests.id(p_parent), p_name, p_created_at)
  returning id;
end;
comment on function tests.comment(text, text, text, text, timestamptz) is 'Something said under a post, in the thread of p_parent where that is given.';

create function tests.feed_share(p_author text, p_post text, p_shared_at timestamptz default app.now())
returns void
language sql
begin atomic
  insert into app.feed_shares (user_id, post_id, shared_at) values (tests.id(p_author), tests.id(p_post), p_shared_at);
end;
comment on function tests.feed_share(text, text, timestamptz) is 'Somebody has shared a post to their feed.';

create function tests.acts(p_post text)
returns setof text
language sql
stable
begin atomic
  select concat_ws(' ', e.kind, 'by', coalesce(actor.username, 'nobody'), 'in ' || h.name)
  from app.feed_events as e
  left join app.profiles as actor on actor.user_id = e.actor_id
  left join app.hubs as h on h.id = e.hub_id
  where e.post_id = tests.id(p_post) and e.lost_at is null;
end;
comment on function tests.acts(text) is 'What brings a post into feeds: "commented by maya", in her stream, and "commented by maya in elm", in that of a Hub.';

create function tests.news()
returns setof text
language sql
stable
begin atomic
  select concat_ws(' ', e.type, 'by', coalesce(actor.username, 'nobody'), 'in ' || h.name, 'of ' || p.thought_text)
  from app.events as e
  left join app.profiles as actor on actor.user_id = e.actor_id
  left join app.hubs as h on h.id = e.hub_id
  left join app.posts as p on p.id = e.post_id;
end;
comment on function tests.news() is 'What people are to be told of posts: "post_shared_to_hub by maya in elm of trams", where trams is the thought of the post.';
