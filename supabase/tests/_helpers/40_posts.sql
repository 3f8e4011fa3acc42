create function tests.post(p_name text, p_author text, p_visibility app.post_visibility default 'public')
returns uuid
language sql
begin atomic
  insert into app.posts (id, author_id, thought_text, visibility)
  values (tests.id(p_name), tests.id(p_author), p_name, p_visibility)
  returning id;
end;
comment on function tests.post(text, text, app.post_visibility) is 'A post with a thought and no slider.';

create function tests.slider(p_name text, p_author text, p_visibility app.post_visibility default 'public')
returns uuid
language sql
begin atomic
  insert into app.posts (id, author_id, slider_text, left_label, right_label, visibility)
  values (tests.id(p_name), tests.id(p_author), p_name, 'Disagree', 'Agree', p_visibility)
  returning id;
end;
comment on function tests.slider(text, text, app.post_visibility) is 'A post with a slider.';

create function tests.article(p_name text, p_author text)
returns uuid
language sql
begin atomic
  insert into app.articles (id, author_id, title) values (tests.id(p_name), tests.id(p_author), p_name) returning id;
end;
comment on function tests.article(text, text) is 'An article that no post shows yet.';

create function tests.arguments(p_post text)
returns jsonb
language sql
immutable
return jsonb_build_object('postId', tests.id(p_post));
comment on function tests.arguments(text) is 'The arguments of an operation on a post.';

create function tests.key(p_name text default 'of this year')
returns text
language sql
immutable
return encode(tests.hash('key ' || p_name), 'base64');
comment on function tests.key(text) is 'A key of the service by which pending votes are sealed.';

create function tests.vote(p_voter text, p_post text, p_position app.vote_position, p_delay interval default '0', p_key text default tests.key())
returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', tests.claims(p_voter)::text, true);
  perform app.count_vote(tests.id(p_post), p_position, p_delay, app.level_of(app.user_id()) >= 4, p_key);
  perform set_config('request.jwt.claims', '', true);
end
$$;
comment on function tests.vote(text, text, app.vote_position, interval, text) is 'A vote, counted as app.count_vote counts it; feeds show it after p_delay.';
