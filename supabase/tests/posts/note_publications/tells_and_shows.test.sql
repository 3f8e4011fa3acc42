select plan(10);

select tests.elm();
select app.set_clock_offset('-1 day');
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.post('locked', 'jonas', 'private_locked_hub');
select set_eq($$ select tests.acts('trams') $$, array['published by lena'], 'a post is in its author''s stream');
select is_empty($$ select tests.acts('locked') $$, 'if it is not private');
select set_eq('select tests.news()', array['followed_user_posted by lena of trams', 'followed_user_posted by lena of bikes'], 'followers are told of it, likewise');
select app.set_clock_offset('0');
delete from app.feed_events;
delete from app.events;
insert into app.posts (id, author_id, source_post_id, thought_text, visibility)
values
  (tests.id('one'), tests.id('jonas'), tests.id('trams'), 'one', 'public'),
  (tests.id('two'), tests.id('maya'), tests.id('trams'), 'two', 'public_hub'),
  (tests.id('three'), tests.id('jonas'), tests.id('bikes'), 'three', 'private_locked_hub'),
  (tests.id('four'), tests.id('jonas'), tests.id('locked'), 'four', 'public');
select set_eq(
  $$ select tests.acts('one') $$, array['published by jonas', 'published by jonas in elm'], 'a repost is in their stream, and in those of their Hubs'
);
select set_eq(
  $$ select tests.acts('trams') $$,
  array['reposted by jonas', 'reposted by jonas in elm', 'reposted by maya', 'reposted by maya in elm'], 'and so is its original again'
);
select is_empty($$ select tests.acts('locked') $$, 'if that is not private');
select is_empty('select from app.feed_events where occurred_at <> app.now()', 'at the time of the repost');
select results_eq(
  'select thought_text, repost_count from app.posts where repost_count > 0 order by thought_text',
  $$ values ('bikes', 1), ('locked', 1), ('trams', 2) $$, 'originals count their reposts'
);
select set_eq(
  'select post_id, score from app.trending_scores',
  $$
    values
      (tests.id('trams'), app.raised_score(null, 6)), (tests.id('bikes'), app.raised_score(null, 3)), (tests.id('locked'), app.raised_score(null, 3))
  $$,
  'each repost adds 3 to the trending score of its original, and publication adds none'
);
select set_eq(
  'select tests.news()',
  array[
    'post_reposted by jonas of one', 'followed_user_posted by jonas of one', 'post_reposted by maya of two', 'followed_user_posted by maya of two',
    'post_reposted by jonas of four', 'followed_user_posted by jonas of four'
  ],
  'their authors are told once, of those for everybody, and so are followers'
);

select * from finish();
