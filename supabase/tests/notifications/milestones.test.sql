begin;
select plan(33);
savepoint empty;

-- fan_out_milestones serves one range of totals per run, the oldest first, and about 2,000 voters at a time.
select tests.person(name) from unnest(array['lena', 'maya', 'jonas', 'ann']) as name;
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.vote_receipt('maya', 'trams', 1), tests.vote_receipt('jonas', 'trams', 5),
  tests.vote_receipt('ann', 'trams', 6);
insert into app.milestones (id, post_id, next_total, last_total)
values
  ('ffffffff-ffff-7fff-bfff-ffffffffffff', tests.id('bikes'), 100, 100),
  ('00000000-0000-7000-8000-000000000000', tests.id('trams'), 200001, 200006);
select ok(app.fan_out_milestones(), 'fan_out_milestones reports more work after the first part of a range');
select bag_eq(
  $$ select tests.milestones('trams') $$, array['maya: 200000 of 200001', 'jonas: 200000 of 200005'],
  'fan_out_milestones serves five totals per run at 200,000 votes, each with 400 voters'
);
select bag_eq(
  'select next_total, last_total from app.milestones', 'values (200006, 200006), (100, 100)',
  'fan_out_milestones keeps the rest of the range for the next run'
);
select is_empty($$ select tests.milestones('bikes') $$, 'fan_out_milestones serves the range with the lowest id first');
select ok(app.fan_out_milestones(), 'fan_out_milestones reports more work after the end of a range');
select bag_eq(
  $$ select tests.milestones('trams') $$,
  array['maya: 200000 of 200001', 'jonas: 200000 of 200005', 'ann: 200000 of 200006'],
  'fan_out_milestones serves each total of a range once'
);
select ok(app.fan_out_milestones(), 'fan_out_milestones reports more work after the last range');
select ok(not app.fan_out_milestones(), 'fan_out_milestones reports no more work without a range');

rollback to empty;

-- The fold of votes adds the totals that fan_out_milestones serves.
select tests.person(name) from unnest(array['lena', 'maya', 'jonas']) as name;
select tests.slider('trams', 'lena');
update app.posts set vote_count = 98 where id = tests.id('trams');
select tests.vote('maya', 'trams', 'left');
select app.set_clock_offset('1 second');
select tests.vote('jonas', 'trams', 'right');
select tests.fold();
select tests.fan_out_milestones();
select results_eq(
  $$ select tests.milestones('trams') $$, array['lena: 100 of 100'], 'the 100th vote is a milestone of the author'
);
update app.posts set vote_count = 598 where id = tests.id('trams');
select tests.vote('lena', 'trams', 'right');
select tests.fold();
select tests.fan_out_milestones();
select bag_eq(
  $$ select tests.milestones('trams') $$, array['lena: 100 of 100', 'maya: 500 of 599'],
  'the 500th vote after a vote is a milestone of the voter'
);
select tests.fold();
select tests.fan_out_milestones();
select bag_eq(
  $$ select tests.milestones('trams') $$, array['lena: 100 of 100', 'maya: 500 of 599'],
  'a second fold adds no milestone for the same totals'
);

rollback to empty;

-- fan_out_milestones serves fewer totals per run the more voters each has: a total of n is a milestone of n /
-- 500 voters.
select tests.person('lena');
select tests.slider('trams', 'lena');
create function pg_temp.totals_per_run(p_next integer, p_last integer)
returns integer
language sql
as $$
  delete from app.milestones;
  insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), p_next, p_last);
  select app.fan_out_milestones();
  select m.next_total - p_next - 1 from app.milestones as m
$$;
select ok(pg_temp.totals_per_run(1, 100000) > 0, 'fan_out_milestones serves several totals per run at 100,000 votes');
select is(
  pg_temp.totals_per_run(1, 10000), 10 * pg_temp.totals_per_run(1, 100000),
  'fan_out_milestones serves ten times as many totals per run at a tenth of the votes'
);
select is(
  pg_temp.totals_per_run(99001, 100000), pg_temp.totals_per_run(1, 100000),
  'fan_out_milestones serves equally many totals for a short range as for a long one'
);

rollback to empty;

-- fan_out_milestones notifies author and voters in the inbox.
select tests.person(name, 4) from unnest(array['lena', 'maya', 'jonas', 'ann']) as name;
select tests.slider('trams', 'lena');
select tests.vote_receipt('maya', 'trams', 100), tests.vote_receipt('jonas', 'trams', 100);
select tests.block('lena', 'jonas');
delete from app.events;
insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 600, 600);
select tests.fan_out_milestones();
select results_eq(
  $$ select tests.notifications_of('lena') $$, array['post_vote_milestone of trams 600 of 600'],
  'fan_out_milestones notifies the author of the total'
);
select results_eq(
  $$ select tests.notifications_of('maya') $$, array['post_vote_milestone of trams 500 of 600'],
  'fan_out_milestones notifies a voter of the votes since the own vote'
);
select is_empty(
  $$ select tests.notifications_of('jonas') $$, 'fan_out_milestones omits a voter whom the author blocked'
);
select is(count(*), 2::bigint, 'fan_out_milestones notifies nobody but author and voters') from app.notifications;
select is(tests.unread_count('maya'), 1, 'fan_out_milestones leaves the notification unread');
select bag_eq(
  'select author_id from app.notifications', array[null, tests.id('lena')],
  'fan_out_milestones stores the author for voters, so that a later block hides the notification'
);

rollback to empty;

-- fan_out_milestones notifies the author at every 100 votes (docs/product.md N6).
select tests.person('lena', 3);
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
delete from app.events;
create function pg_temp.reach(p_from integer, p_to integer)
returns void
language sql
as $$
  insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), p_from, p_to);
  select tests.fan_out_milestones()
$$;
select pg_temp.reach(98, 99);
select is_empty($$ select tests.milestones('trams') $$, 'an author has no milestone at 99 votes');
select pg_temp.reach(100, 100);
select results_eq(
  $$ select tests.milestones('trams') $$, array['lena: 100 of 100'], 'an author has a milestone at 100 votes'
);
select pg_temp.reach(101, 301);
select bag_eq(
  $$ select tests.milestones('trams') $$, array['lena: 100 of 100', 'lena: 200 of 200', 'lena: 300 of 300'],
  'an author has a milestone at every further 100 votes'
);
select results_eq(
  'select distinct type::text, actor_id, subject_id, hub_id, post_id from app.events',
  $$ values ('post_vote_milestone', null::uuid, tests.id('lena'), null::uuid, tests.id('trams')) $$,
  'the event of a milestone has subject and post, and no actor or Hub'
);
select app.end_user(tests.id('lena'));
select pg_temp.reach(302, 400);
select is(count(*), 3::bigint, 'an author whose account ended gets no milestone') from tests.milestones('trams');
select is_empty('select from app.milestones', 'fan_out_milestones removes every range that is done');

rollback to empty;

-- fan_out_milestones notifies voters at every 500 votes after the own vote (docs/product.md N6).
select tests.person(name) from unnest(array['lena', 'maya', 'jonas', 'ann', 'ben', 'tom']) as name;
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'ben');
select tests.vote_receipt('maya', 'trams', 1), tests.vote_receipt('jonas', 'trams', 99),
  tests.vote_receipt('lena', 'trams', 100);
select tests.vote_receipt('ann', 'trams', 2), tests.vote_receipt('ben', 'trams', 601);
select tests.vote_receipt('tom', 'trams');
select tests.vote_receipt('maya', 'bikes', 3);
select app.end_user(tests.id('ann'));
create function pg_temp.reach(p_from integer, p_to integer)
returns setof text
language sql
as $$
  delete from app.events;
  insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), p_from, p_to);
  select tests.fan_out_milestones();
  select milestone from tests.milestones('trams') as milestone
$$;
select bag_eq(format('select pg_temp.reach(%s, %s)', first, last), expected, title)
from (
  values
    (401, 500, array['lena: 500 of 500'], 'a voter has no milestone before 500 further votes'),
    (501, 598, array['maya: 500 of 501'], 'the first voter has a milestone at 501 votes'),
    (599, 599, array['jonas: 500 of 599'], 'the 99th voter has a milestone at 599 votes'),
    (
      600, 600, array['lena: 600 of 600', 'lena: 500 of 600'],
      'an author who voted has one milestone as author and one as voter'
    ),
    (
      1001, 1100, array['maya: 1000 of 1001', 'jonas: 1000 of 1099', 'lena: 1100 of 1100', 'lena: 1000 of 1100'],
      'a voter has a milestone at every further 500 votes'
    ),
    (
      1101, 1500,
      array['ben: 500 of 1101', 'lena: 1200 of 1200', 'lena: 1300 of 1300', 'lena: 1400 of 1400', 'lena: 1500 of 1500'],
      'a late voter has a milestone 500 votes after the own vote'
    )
) as c (first, last, expected, title);
select results_eq(
  'select distinct post_id from app.events', tests.ids('trams'),
  'a milestone belongs to the post that reached the total'
);

select * from finish();
rollback;
