select plan(6);

select tests.elm();
select tests.post('trams', 'jonas');
create function pg_temp.refusal(p_statement text)
returns text
language sql
return tests.error_of(format(p_statement, tests.id('unknown'))) ->> 'code';

select is(pg_temp.refusal($$ insert into app.comments (post_id, author_id, body) values (%L, tests.id('jonas'), 'Hello') $$), 'POST_NOT_FOUND', 'a comment');
select is(pg_temp.refusal($$ insert into app.feed_shares (post_id, user_id) values (%L, tests.id('jonas')) $$), 'POST_NOT_FOUND', 'a share');
select is(pg_temp.refusal($$ insert into app.placements (post_id, hub_id) values (%L, tests.id('elm')) $$), 'POST_NOT_FOUND', 'a place');
select is(
  pg_temp.refusal($$ insert into app.posts (source_post_id, author_id, thought_text, visibility) values (%L, tests.id('jonas'), 'Again', 'public') $$), 'POST_NOT_FOUND', 'a repost'
);
select is(pg_temp.refusal($$ select tests.repost('again', 'jonas', 'trams') where %L is not null $$), null, 'of what is there they are');
select is(
  tests.error_of($$ insert into app.comments (post_id, author_id, body) values (null, tests.id('jonas'), 'Hello') $$) ->> 'code', 'POST_NOT_FOUND', 'of nothing none is'
);

select * from finish();
