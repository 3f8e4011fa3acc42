begin;
select plan(17);

create function pg_temp.vote_held(p_voter text, p_post text, p_delay interval default '10 minutes')
returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', tests.claims(p_voter)::text, true);
  perform app.count_vote(
    (select p from app.posts as p where p.id = tests.id(p_post)), 'left', p_delay, app.level_of(app.user_id()) >= 4,
    tests.vote_key(), true
  );
  perform set_config('request.jwt.claims', '', true);
end
$$;

create function pg_temp.release(p_minimum integer)
returns void
language plpgsql
as $$
begin
  set local session authorization opine_worker;
  perform app.release_votes(p_minimum);
  reset session authorization;
end
$$;

create function pg_temp.shown(p_post text)
returns bigint
language sql
return (
  select count(*) from app.feed_events as e where e.post_id = tests.id(p_post) and e.kind = 'voted' and e.hub_id is null
);

create function pg_temp.votes_seen(p_viewer text, p_user text)
returns bigint
language plpgsql
as $$
declare
  v_count bigint;
begin
  perform tests.authenticate_as(p_viewer);
  v_count := app.vote_count(tests.id(p_user));
  reset role;
  return v_count;
end
$$;

savepoint empty;

-- A held vote waits for others on the post (docs/product.md A8).
select tests.person(name, 3) from unnest(array['lena', 'maya', 'jonas', 'amara']) as name;
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select pg_temp.vote_held('maya', 'trams'), pg_temp.vote_held('jonas', 'trams'), pg_temp.vote_held('maya', 'bikes');
select tests.fold();
select is(pg_temp.shown('trams'), 0::bigint, 'feeds do not show a held vote after the fold');
select pg_temp.release(2);
select is(pg_temp.shown('trams'), 0::bigint, 'release_votes shows no vote before its delay has passed');
select app.set_clock_offset('10 minutes');
select pg_temp.release(3);
select is(pg_temp.shown('trams'), 0::bigint, 'release_votes shows no votes below the minimum');
select pg_temp.release(2);
select is(pg_temp.shown('trams'), 2::bigint, 'release_votes shows all due votes on a post once they are enough');
select is(pg_temp.shown('bikes'), 0::bigint, 'release_votes counts the votes of each post by itself');
select is(count(distinct e.occurred_at)::integer, 1, 'feeds show released votes at one moment')
from app.feed_events as e where e.kind = 'voted';
select pg_temp.vote_held('amara', 'trams', '0');
select tests.fold();
select pg_temp.release(2);
select is(pg_temp.shown('trams'), 2::bigint, 'released votes do not count again with a later vote');

-- The count of votes on a profile follows the feeds (docs/product.md A8).
select app.set_clock_offset('25 hours');
select is(
  pg_temp.votes_seen('lena', 'maya'), 1::bigint, 'the profile of a voter counts a released vote and no held one'
);
select is(pg_temp.votes_seen('maya', 'maya'), 2::bigint, 'a voter sees all of their own votes counted');
select pg_temp.release(1);
select is(
  pg_temp.votes_seen('lena', 'maya'), 1::bigint,
  'the profile of a voter does not count a vote that feeds have just begun to show'
);
select app.set_clock_offset('26 hours');
select is(
  pg_temp.votes_seen('lena', 'maya'), 2::bigint, 'the profile of a voter counts a released vote within an hour'
);
select pg_temp.release(1);
select set_eq(
  'select post_id from app.held_votes', tests.ids('trams', 'bikes'),
  'release_votes keeps votes that feeds have shown for just an hour, and deletes older ones'
);
select app.set_clock_offset('26 hours 1 second');
select pg_temp.release(1);
select is_empty(
  'select from app.held_votes', 'release_votes deletes a vote that feeds have shown for more than an hour'
);

rollback to empty;

-- The count on a profile takes votes of before a half hour, which feeds have shown before it.
select tests.person(name, 3) from unnest(array['lena', 'maya']) as name;
select tests.slider('trams', 'lena');
select tests.vote_receipt('maya', 'trams');
update app.vote_receipts set voted_at = voted_at - interval '1 day';
insert into app.held_votes (post_id, user_id, due_at, released_at)
values (tests.id('trams'), tests.id('maya'), app.now() - interval '1 day', app.now() - interval '1 day');
create function pg_temp.votes_if_released(p_distance interval)
returns bigint
language plpgsql
as $$
begin
  update app.held_votes
  set released_at = date_bin('30 minutes', app.now() - interval '30 minutes', timestamptz 'epoch') + p_distance;
  return pg_temp.votes_seen('lena', 'maya');
end
$$;
select is(pg_temp.votes_if_released(distance), expected, title)
from (
  values
    (
      interval '-1 microsecond', 1::bigint,
      'the profile of a voter counts a vote that feeds have shown just before the last but one half hour'
    ),
    ('0', 0, 'the profile of a voter does not count a vote that feeds show since the last but one half hour')
) as c (distance, expected, title);

rollback to empty;

-- A vote whose voter has ended the account before the fold waits for no others.
select tests.person(name, 3) from unnest(array['lena', 'maya', 'jonas']) as name;
select tests.slider('trams', 'lena');
select pg_temp.vote_held('maya', 'trams'), pg_temp.vote_held('jonas', 'trams');
select app.end_user(tests.id('maya'));
select tests.fold();
select results_eq(
  'select user_id from app.held_votes', tests.ids('jonas'), 'the fold holds no vote of an ended account'
);
select is(vote_count, 2, 'a held vote of an ended account counts on its post') from app.posts;

select * from finish();
rollback;
