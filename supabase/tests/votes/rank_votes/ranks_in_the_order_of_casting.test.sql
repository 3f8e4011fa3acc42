select plan(9);

select tests.elm();
select tests.person('ann'), tests.person('ben');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
update app.posts set vote_count = 7;
insert into app.trending_scores (post_id, score, active_at) select p.id, app.now() - interval '1 day', app.now() - interval '1 day' from app.posts as p;
create temporary table before as table app.trending_scores;

create function pg_temp.vote(p_voter text, p_post text, p_seconds integer)
returns void
language sql
as $$
  select app.set_clock_offset(p_seconds * interval '1 second');
  select tests.vote(p_voter, p_post, 'left', '1 minute')
$$;
create function pg_temp.ranked(p_limit integer)
returns setof text
language sql
as $$
  select format('%s on %s: %s', u.username, p.slider_text, coalesce(v.baseline::text, 'none'))
  from unnest(app.rank_votes(p_limit, 100000)) as v
  join app.profiles as u on u.user_id = v.user_id
  join app.posts as p on p.id = v.post_id
$$;

select pg_temp.vote('maya', 'trams', 3), pg_temp.vote('ann', 'trams', 2), pg_temp.vote('jonas', 'trams', 4), pg_temp.vote('ben', 'trams', 1);
select pg_temp.vote('ben', 'bikes', 5), pg_temp.vote('maya', 'locked', 6), pg_temp.vote('jonas', 'locked', 7);
select app.set_clock_offset('0');
select set_eq('select pg_temp.ranked(2)', array['ben on trams: 8', 'ann on trams: 9'], 'those who voted first come first');
select is((select vote_count from app.posts where id = tests.id('trams')), 9, 'they are counted to the post');
select is(count(*), 5::bigint, 'the others wait') from app.fresh_votes;
select set_eq(
  'select pg_temp.ranked(1000)', array['maya on trams: 10', 'jonas on trams: 11', 'ben on bikes: 8', 'maya on locked: none', 'jonas on locked: none'],
  'each post by itself, and private ones not at all'
);
select set_eq(
  'select slider_text, vote_count from app.posts', $$ values ('trams', 11), ('bikes', 8), ('locked', 9) $$, 'though their votes are counted'
);
select set_eq(
  'select post_id, score from app.trending_scores',
  $$
    select before.post_id, case
      when before.post_id = tests.id('trams') then app.raised_score(app.raised_score(before.score, 2), 2)
      when before.post_id = tests.id('bikes') then app.raised_score(before.score, 1) else app.raised_score(before.score, 2)
    end
    from before
  $$,
  'each vote adds 1 to the trending score of its post'
);
select is(app.rank_votes(1000, 100000), '{}', 'then there are no more');
select is_empty('select from app.fresh_votes', 'of any');
select is_empty($$ select tests.who_may('select app.rank_votes(1, 1)') $$, 'no role ranks by itself');

select * from finish();
