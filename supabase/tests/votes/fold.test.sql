begin;
select plan(72);

create temporary table written (place integer generated always as identity, row jsonb);
create function pg_temp.record_write()
returns trigger
language plpgsql
security definer
as $$
begin
  insert into written (row) values (to_jsonb(new));
  return null;
end
$$;

savepoint empty;

-- fold_ballots promotes pending votes into the Hub of a share.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', name, 'right') from unnest(array['trams', 'bikes']) as name;
select tests.fold();
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.placement('boats', 'elm', p_kind => 'targeted', p_by => 'lena');
select results_eq(
  'select post_id from app.promotions', tests.ids('trams'),
  'a share queues a promotion, and a vote or first placement none'
);
select is(
  array(select app.fold_ballots(array[tests.vote_key(lost), tests.vote_key(key)])
    from (values ('lost', 'new'), ('new', 'current'), ('new', 'current')) as keys (lost, key)),
  '{f,t,f}', 'fold_ballots promotes a shared post once, with the sealing key'
);
select is(tests.vote_counts('trams', 'elm'), '(0,0,0,1,0)', 'a promoted vote counts in the Hub of the share');
select bag_eq(
  'select tests.pending_totals()',
  array['trams in oak now (0,0,0,1,0)', 'bikes in elm now (0,0,0,1,0)', 'bikes in oak now (0,0,0,1,0)'],
  'votes for other Hubs and posts stay pending after a promotion'
);

rollback to empty;

-- fold_ballots settles the ballots that its keys open, one post a call.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', 'trams', 'right'), tests.vote('maya', 'bikes', 'left');
select tests.vote('maya', 'trams', 'left', p_key => tests.vote_key('lost'));
select tests.vote('maya', 'boats', 'left'), tests.vote('jonas', 'boats', 'left');
delete from app.posts where id = tests.id('boats');
select is(
  array(select app.fold_ballots(array[tests.vote_key()]) from generate_series(1, 4)), '{t,t,t,f}',
  'fold_ballots settles a post a call, a deleted one too, and returns false when its keys open no ballot'
);
select bag_eq(
  'select tests.pending_totals()',
  array['trams in elm now (0,0,0,1,0)', 'trams in oak now (0,0,0,1,0)', 'bikes in elm now (0,1,0,0,0)'],
  'settled ballots become pending totals'
);
select results_eq(
  $$ select tests.pending_ballots(tests.vote_key('lost')) $$, array['trams (0,1,0,0,0) for elm'],
  'a ballot of another key stays a ballot'
);

rollback to empty;

-- fold_pools writes pools in one order, so that concurrent writers do not deadlock.
select tests.person('lena');
select tests.hub(name, 'lena') from unnest(array['elm', 'oak', 'ash', 'fir']) as name;
select tests.slider('post ' || n, 'lena') from generate_series(1, 4) as n;
insert into app.vote_slots (post_id, hub_id, slot, counts, generation)
select p.id, h.id, slot, app.one_vote('left'), 0
from app.posts as p
cross join (select id from app.hubs union all select null) as h
cross join generate_series(11, 13) as slot
order by h.id desc nulls first, p.id desc;
create trigger written after insert or update on app.vote_pools for each row execute function pg_temp.record_write();
-- A sort for the sums would hide a missing order by.
set local enable_sort = off;
select app.fold_pools(0::smallint);
select results_eq(
  'select row -> ''post_id'', row -> ''hub_id'' from written order by place',
  'select to_jsonb(post_id), coalesce(to_jsonb(hub_id), ''null'') from app.vote_pools order by post_id, hub_id',
  'fold_pools writes each pool once, in the order of post and Hub'
);

rollback to empty;

-- fold_pools and settle_pending lock the posts and Hubs that they count for.
-- Triggers would lock rows too.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), tests.id('elm'));
insert into app.vote_slots (post_id, hub_id, slot, counts)
values (tests.id('trams'), tests.id('elm'), 1, app.one_vote('left'));
select tests.add_pending_total('bikes', 'oak', row(1, 0, 0, 0, 0));
select app.insert_ballot(tests.id('bikes'), 'left', tests.ids('oak'), tests.vote_key());

create function pg_temp.locks()
returns text
language sql
as $$
  select string_agg(row.name || ' for ' || row.lock, ', ' order by name)
  from (
    select p.slider_text, tests.lock_of('app.posts', p.id) from app.posts as p
    union all
    select h.name, tests.lock_of('app.hubs', h.id) from app.hubs as h
  ) as row (name, lock)
$$;

select is(pg_temp.locks(), null, 'no post or Hub is locked before a fold');
select app.fold_pools(app.slot_generation());
select is(
  pg_temp.locks(), 'elm for key share, trams for key share',
  'fold_pools locks its posts and Hubs against deletion alone'
);
select app.settle_pending(tests.id('bikes'), array[tests.vote_key()]);
select is(
  pg_temp.locks(), 'bikes for no key update, elm for key share, oak for key share, trams for key share',
  'settle_pending locks its Hubs against deletion and its post against shares'
);

rollback to empty;

-- Each fold runs once at a time.
select app.fold_pools(app.slot_generation());
select app.fold_ballots(array[tests.vote_key()]);
select app.fold_receipts();
select app.fan_out_milestones();
select set_has(
  $$
    select (l.classid::bigint << 32) | l.objid::bigint from pg_locks as l
    where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.mode = 'ExclusiveLock'
  $$,
  $$
    select hashtext(name)::bigint
    from unnest(array['app.fold_pools', 'app.fold_ballots', 'app.fold_receipts', 'app.fan_out_milestones']) as name
  $$,
  'a concurrent run of each fold waits for an advisory lock'
);

rollback to empty;

-- fold_pools moves the counts of slots into pools.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
insert into app.vote_pools (post_id, hub_id, counts)
values
  (tests.id('trams'), null, (100, 200, 300, 400, 500)),
  (tests.id('trams'), tests.id('elm'), (1000, 2000, 3000, 4000, 5000));
insert into app.vote_slots (post_id, hub_id, slot, counts)
values
  (tests.id('trams'), null, 11, (1, 2, 3, 4, 5)), (tests.id('trams'), null, 12, (10, 20, 30, 40, 50)),
  (tests.id('trams'), null, 13, (1000, 2000, 3000, 4000, 5000)),
  (tests.id('trams'), tests.id('elm'), 11, (1, 2, 3, 4, 5)),
  (tests.id('trams'), tests.id('elm'), 12, (10, 20, 30, 40, 50)),
  (tests.id('trams'), tests.id('oak'), 11, (7, 0, 0, 0, 0)), (tests.id('bikes'), null, 12, (0, 0, 7, 0, 0));
update app.vote_slots set generation = slot % 2;
create temporary table expected as
select * from (
  values
    (tests.id('trams'), null::uuid, '(1111,2222,3333,4444,5555)'),
    (tests.id('trams'), tests.id('elm'), '(1011,2022,3033,4044,5055)'),
    (tests.id('trams'), tests.id('oak'), '(7,0,0,0,0)'), (tests.id('bikes'), null, '(0,0,7,0,0)')
) as total (post_id, hub_id, counts);
select bag_eq(
  'select post_id, hub_id, counts from tests.vote_totals', 'table expected',
  'the fixture has the totals that the fold must keep'
);
set local session authorization opine_worker;
select app.fold_pools(generation::smallint) from generate_series(0, 1) as generation;
select app.fold_pools(generation::smallint) from generate_series(0, 1) as generation;
reset session authorization;
select is_empty('select from app.vote_slots', 'fold_pools deletes the slots that it has folded, of both generations');
select bag_eq(
  'select post_id, hub_id, counts from tests.vote_totals', 'table expected',
  'fold_pools adds each slot to the pool of its scope once'
);

rollback to empty;

-- fold_pools leaves the generation that votes count in.
select tests.person('lena');
select tests.person('maya');
select tests.slider('trams', 'lena');
select app.set_clock_offset(date_trunc('minute', now()) - now());
select tests.vote('lena', 'trams', 'left');
select app.fold_pools();
select is_empty('select from app.vote_pools', 'fold_pools skips slots of the current generation');
select app.set_clock_offset(date_trunc('minute', now()) - now() + interval '30 seconds');
select tests.vote('maya', 'trams', 'right');
select app.fold_pools();
select results_eq(
  $$
    select 'pool', counts::text from app.vote_pools
    union all select 'slot', counts::text from app.vote_slots
  $$,
  $$ values ('pool', '(0,1,0,0,0)'), ('slot', '(0,0,0,1,0)') $$,
  'fold_pools folds a generation half a minute later and leaves the slots of the new one'
);

rollback to empty;

-- The fold drops votes of deleted posts and Hubs.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.placement(post, hub)
from unnest(array['trams', 'bikes']) as post
cross join unnest(array['elm', 'oak']) as hub;
select tests.vote(voter, post, 'left') from unnest(array['trams', 'bikes']) as post,
  unnest(array['jonas', 'lena']) as voter;
delete from app.posts where id = tests.id('bikes');
delete from app.hubs where id = tests.id('oak');
select isnt_empty(
  $$ select from app.vote_slots where hub_id = tests.id('oak') $$, 'the slots of a deleted Hub stay until the fold'
);
select tests.fold();
select bag_eq(
  'select post_id, hub_id, (counts).left_count from app.vote_pools',
  $$ values (tests.id('trams'), null::uuid, 2::bigint), (tests.id('trams'), tests.id('elm'), 1) $$,
  'the fold keeps the counts of existing posts and Hubs alone'
);
select is_empty(
  'select from app.vote_slots union all select from app.fresh_votes union all select from app.pending_ballots',
  'the fold empties slots, fresh votes and ballots of deleted posts and Hubs'
);

rollback to empty;

-- fold_receipts brings delayed votes into the sources of their voters and of the Hubs that these are in.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('ash', 'maya');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.slider('own', 'jonas');
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placement('locked', 'elm');
delete from app.feed_events;
select tests.vote('jonas', name, 'left', '10 minutes') from unnest(array['trams', 'locked', 'own']) as name;
select tests.vote('maya', 'bikes', 'left', '10 minutes');
select tests.record_activity('commented', 'maya', 'trams'), tests.record_activity('commented', 'maya', 'bikes');
delete from app.feed_events where hub_id is not null;
select app.delete_memberships(tests.id('elm'), tests.id('jonas'));
select tests.membership('elm', 'lena');
select app.fold_receipts();
select bag_eq(
  $$ select name || ' ' || tests.activity_on(name) from unnest(array['trams', 'bikes', 'own', 'locked']) as name $$,
  array[
    'trams voted by jonas', 'trams voted by jonas in oak', 'trams commented by maya',
    'bikes voted by maya', 'bikes voted by maya in elm', 'bikes voted by maya in ash', 'bikes commented by maya'
  ],
  'fold_receipts brings votes on public posts of others into the sources of their voters and of the voters'' Hubs'
);
select results_eq(
  $$ select distinct occurred_at from app.feed_events where kind = 'voted' and ended_at is null $$,
  array[app.now() + interval '10 minutes'], 'fold_receipts keeps the delayed time of a vote''s activity'
);
update app.feed_events set occurred_at = app.now() where kind = 'voted';
select tests.vote('maya', 'trams', 'left', '10 minutes');
select app.fold_receipts();
select bag_eq(
  $$
    select actor_id, occurred_at from app.feed_events
    where post_id = tests.id('trams') and kind = 'voted' and hub_id is null and ended_at is null
  $$,
  $$ values (tests.id('jonas'), app.now()), (tests.id('maya'), app.now() + interval '10 minutes') $$,
  'fold_receipts does not change the activity of former folds'
);
select tests.person('noor', 4);
select tests.vote('noor', 'trams', 'left', '10 minutes'), tests.vote('noor', 'bikes', 'left', '10 minutes');
select app.end_user(tests.id('noor'));
select app.fold_receipts();
select is_empty(
  $$ select from app.feed_events where actor_id = tests.id('noor') $$,
  'fold_receipts records no activity of an ended account'
);

rollback to empty;

-- fold_receipts writes activity in one order, so that concurrent writers do not deadlock.
select tests.person('lena');
select tests.person('voter_' || n) from generate_series(1, 10) as n;
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.vote('voter_' || n, name, 'left', '10 minutes')
from generate_series(1, 10) as n cross join unnest(array['trams', 'bikes']) as name;
create trigger written after insert on app.feed_events for each row execute function pg_temp.record_write();
select app.fold_receipts();
select results_eq(
  'select row -> ''actor_id'', row -> ''post_id'' from written order by place',
  'select to_jsonb(actor_id), to_jsonb(post_id) from app.feed_events where kind = ''voted'' order by actor_id, post_id',
  'fold_receipts writes activity in the order of voter and post'
);

rollback to empty;

-- fold_receipts takes votes in batches.
select tests.person(name) from unnest(array['lena', 'maya']) as name;
select tests.slider('trams', 'lena');
insert into app.users (id) select tests.id('voter ' || n) from generate_series(1, 500) as n;
insert into app.vote_receipts (post_id, user_id, voted_at)
select tests.id('trams'), tests.id('voter ' || n), date_trunc('minute', app.now()) from generate_series(1, 500) as n;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id('trams'), tests.id('voter ' || n),
  app.now() + n * interval '1 second' from generate_series(1, 500) as n;
select tests.vote('lena', 'trams', 'left');
update app.fresh_votes set cast_at = app.now() + interval '501 seconds' where user_id = tests.id('lena');
select ok(app.fold_receipts(), 'fold_receipts returns true for a full batch');
select is(
  array[(select count(baseline) from app.vote_receipts)::text, tests.baselines('trams')], '{500,lena: not ranked}',
  'fold_receipts ranks the 500 earliest votes and leaves vote 501 to the next batch'
);
select is(
  array[app.fold_receipts(), app.fold_receipts()], '{t,f}',
  'fold_receipts returns true for a last vote and false without votes'
);
select bag_eq(
  $$ select tests.baselines('trams') $$, array['lena: 501'], 'the next batch continues the ranking of a post'
);

create function pg_temp.votes_left(p_hub_counts integer[])
returns bigint
language plpgsql
as $$
begin
  delete from app.fresh_votes;
  insert into app.fresh_votes (post_id, user_id, hub_count, cast_at)
  select tests.id('trams'), tests.id('maya'), hub_count, app.now() + place * interval '1 second'
  from unnest(p_hub_counts) with ordinality as vote (hub_count, place);
  perform app.fold_receipts();
  return (select count(*) from app.fresh_votes);
end
$$;
select is(pg_temp.votes_left(hub_counts), votes_left::bigint, title)
from (
  values
    ('{2499,2200,298}'::integer[], 0, 'fold_receipts takes votes of 5,000 streams in one batch'),
    ('{2499,2200,299}', 1, 'fold_receipts leaves a vote that would exceed 5,000 streams'),
    ('{6000,6000}', 1, 'fold_receipts takes a vote that alone exceeds 5,000 streams')
) as c (hub_counts, votes_left, title);

rollback to empty;

-- fold_receipts ranks the receipts of each public post.
select tests.elm();
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placement('locked', 'elm');
select tests.vote('jonas', 'trams', 'left');
select app.set_clock_offset('1 second');
select tests.vote('maya', 'trams', 'left'), tests.vote('maya', 'locked', 'left');
select tests.vote_receipt('amara', 'trams', 77);
insert into app.fresh_votes (post_id, user_id, cast_at)
values (tests.id('trams'), tests.id('amara'), app.now() + interval '1 second');
select app.fold_receipts();
select tests.vote('lena', 'trams', 'left'), tests.vote('lena', 'bikes', 'left');
select app.fold_receipts();
select bag_eq(
  $$ select name || ', ' || tests.baselines(name) from unnest(array['trams', 'bikes', 'locked']) as name $$,
  array[
    'trams, jonas: 1', 'trams, maya: 2', 'trams, amara: 77', 'trams, lena: 4', 'bikes, lena: 1',
    'locked, maya: not ranked'
  ],
  'fold_receipts ranks the votes of each public post across folds and keeps existing ranks'
);

rollback to empty;

-- fold_receipts rewrites rows, so that their place and transaction do not date a vote (docs/product.md V16).
select tests.elm();
select tests.slider('trams', 'lena');
select tests.person('voter_' || n) from generate_series(1, 20) as n;
select app.set_clock_offset('-1 day');
select tests.vote('jonas', 'trams', 'left');
select tests.fold();
create temporary table folded_before as select ctid as place from app.vote_receipts;
-- The exception clause gives each vote a subtransaction with an id of its own.
create function pg_temp.vote_alone(p_n integer)
returns void
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_n * interval '1 second');
  perform tests.vote('voter_' || p_n, 'trams', 'left');
exception when division_by_zero then raise;
end
$$;
select pg_temp.vote_alone(n) from generate_series(1, 20) as n;
create temporary view votes as
select 'receipt' as what, user_id, xmin::text as written_by, ctid as place from app.vote_receipts
where user_id <> tests.id('jonas')
union all
select 'activity', actor_id, xmin::text, ctid from app.feed_events
where kind = 'voted' and hub_id is null and actor_id <> tests.id('jonas');
create temporary table votes_before as table votes;
select results_eq(
  'select what, count(distinct written_by) from votes_before group by what order by what',
  $$ values ('activity', 20::bigint), ('receipt', 20) $$, 'the fixture writes each vote in a transaction of its own'
);
select app.fold_receipts();

select results_eq(
  'select what, count(distinct written_by) from votes group by what order by what',
  $$ values ('activity', 1::bigint), ('receipt', 1) $$,
  'fold_receipts writes all receipts, and all activity, in one transaction'
);
select is_empty(
  'select from votes_before join votes using (what, user_id, written_by)',
  'no folded receipt or activity keeps the transaction of its vote'
);
select isnt(array(select user_id from votes where what = 'receipt' order by place), other_order, title)
from (
  values
    (
      array(select user_id from votes_before where what = 'receipt' order by place),
      'folded receipts are not stored in the order of the votes'
    ),
    (
      array(select user_id from votes where what = 'receipt' order by user_id),
      'folded receipts are not stored in the order of user ids'
    )
) as c (other_order, title);
select results_eq(
  $$ select ctid from app.vote_receipts where user_id = tests.id('jonas') $$, 'select place from folded_before',
  'fold_receipts does not rewrite receipts of former folds'
);

rollback to empty;

-- rank_votes locks posts in one order, as a merge does, so that they do not deadlock.
-- Triggers would lock rows too.
set local session_replication_role = replica;
select tests.person('lena');
select tests.slider('post ' || n, 'lena')
from (select n from generate_series(1, 6) as n order by tests.id('post ' || n) desc) as made;
insert into app.fresh_votes (post_id, user_id) select p.id, tests.id('lena') from app.posts as p order by p.id desc;
-- A subtransaction locks each row first. The next lock then makes a MultiXact, and MultiXact ids show the
-- order of the locks.
create function pg_temp.lock_each(p_table regclass)
returns void
language plpgsql
as $$
declare
  v_id uuid;
begin
  for v_id in execute format('select id from %s order by id desc', p_table) loop
    begin
      execute format('select from %s where id = $1 for key share', p_table) using v_id;
    exception when division_by_zero then raise;
    end;
  end loop;
end
$$;
select pg_temp.lock_each('app.posts');
create temporary table locked (place bigint, id uuid);
create function pg_temp.record_locks()
returns trigger
language plpgsql
as $$
begin
  insert into locked select p.xmax::text::bigint, p.id from app.posts as p where not exists (select from locked);
  return old;
end
$$;
create trigger locked before delete on app.fresh_votes for each row execute function pg_temp.record_locks();
alter table app.fresh_votes enable always trigger locked;
select tests.disable_index_scans();
select app.rank_votes(100, 1000);
select results_eq(
  'select id from locked order by place', 'select id from app.posts order by id',
  'rank_votes locks posts in the order of their ids'
);

rollback to empty;

-- rank_votes locks posts before it takes votes, as a merge does, so that they do not deadlock.
select tests.person('lena');
-- Triggers would lock rows too.
set local session_replication_role = replica;
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id(name), tests.id('lena'), app.now() + place * interval '1 second'
from unnest(array['trams', 'bikes', 'boats']) with ordinality as vote (name, place);
create temporary table locked (name text, lock text);
create function pg_temp.record_locks()
returns trigger
language plpgsql
security definer
as $$
begin
  insert into locked select p.slider_text, tests.lock_of('app.posts', p.id) from app.posts as p where p.xmax <> '0';
  return old;
end
$$;
create trigger locked before delete on app.fresh_votes for each row execute function pg_temp.record_locks();
alter table app.fresh_votes enable always trigger locked;
select is_empty('select from app.posts where xmax <> ''0''', 'no post is locked before rank_votes');
select app.rank_votes(2, 1000);
select set_eq(
  'select name, lock from locked', $$ values ('trams', 'no key update'), ('bikes', 'no key update') $$,
  'rank_votes locks the posts of its batch for update before it takes a vote'
);
select is(
  vote_count, 0, 'rank_votes does not count votes outside its batch'
) from app.posts where slider_text = 'boats';

rollback to empty;

-- rank_votes takes votes of deleted posts and users.
select tests.elm();
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.vote('jonas', 'bikes', 'left'), tests.vote('jonas', 'trams', 'left'), tests.vote('maya', 'trams', 'left');
delete from app.posts where id = tests.id('bikes');
delete from app.users where id = tests.id('jonas');
insert into app.fresh_votes (post_id, user_id) values (tests.id('trams'), null), (tests.id('trams'), null);
select is(
  cardinality(app.rank_votes(5, 1000)), 5, 'rank_votes takes votes on a deleted post, and of merged and deleted users'
);
select is(vote_count, 4, 'rank_votes counts the votes of merged and deleted users') from app.posts;
select results_eq(
  'select user_id from app.vote_receipts', tests.ids('maya'), 'the fold creates no receipt for a deleted user'
);

rollback to empty;

-- rank_votes queues the milestones that a post reaches.
select tests.elm();
select tests.slider('trams', 'lena');
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placement('locked', 'elm');
create function pg_temp.milestones_reached(p_post text, p_former_count integer, p_voters text[])
returns text
language plpgsql
as $$
begin
  delete from app.milestones;
  update app.posts set vote_count = p_former_count where id = tests.id(p_post);
  insert into app.fresh_votes (post_id, user_id) select tests.id(p_post), tests.id(voter)
  from unnest(p_voters) as voter;
  perform app.rank_votes(1000, 100000);
  return (
    select string_agg(format('%s to %s', m.next_total, m.last_total), ', ')
    from app.milestones as m where m.post_id = tests.id(p_post)
  );
end
$$;
select is(pg_temp.milestones_reached(post, former_count, voters), expected, title)
from (
  values
    ('trams', 97, '{maya,jonas}'::text[], null, 'a post below 100 votes reaches no milestone'),
    ('trams', 98, '{maya,jonas}', '99 to 100', 'vote 100 of a post queues a milestone'),
    ('trams', 100, '{maya,jonas}', null, 'votes 101 and 102 of a post queue no milestone'),
    ('trams', 199, '{maya,jonas}', '200 to 201', 'vote 200 of a post queues a milestone'),
    ('trams', 499, '{maya}', '500 to 500', 'vote 500 of a post queues a milestone'),
    ('trams', 500, '{maya}', '501 to 501', 'each vote after 500 queues a milestone'),
    ('trams', 501, '{maya,jonas}', '502 to 503', 'several votes after 500 queue one range of milestones'),
    ('trams', 501, '{}', null, 'a batch without votes queues no milestone'),
    ('locked', 599, '{maya,jonas}', null, 'votes on a private post queue no milestone')
) as c (post, former_count, voters, expected, title);

rollback to empty;

-- rank_votes ranks votes in the order in which they were cast.
select tests.elm();
select tests.person('ann'), tests.person('ben');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placement('locked', 'elm');
update app.posts set vote_count = 7;
insert into app.trending_scores (post_id, score, active_at)
select p.id, app.now() - interval '1 day', app.now() - interval '1 day' from app.posts as p;
create temporary table scores_before as table app.trending_scores;

create function pg_temp.ranked(p_limit integer)
returns setof text
language sql
as $$
  select format('%s on %s: %s', u.username, p.slider_text, coalesce(v.baseline::text, 'none'))
  from unnest(app.rank_votes(p_limit, 100000)) as v
  join app.profiles as u on u.user_id = v.user_id
  join app.posts as p on p.id = v.post_id
$$;

select app.set_clock_offset(seconds * interval '1 second'), tests.vote(voter, post, 'left', '1 minute')
from (
  values
    ('maya', 'trams', 3), ('ann', 'trams', 2), ('jonas', 'trams', 4), ('ben', 'trams', 1),
    ('ben', 'bikes', 5), ('maya', 'locked', 6), ('jonas', 'locked', 7)
) as vote (voter, post, seconds);
select app.set_clock_offset('0');
select set_eq(
  'select pg_temp.ranked(2)', array['ben on trams: 8', 'ann on trams: 9'], 'rank_votes ranks the earliest votes first'
);
select results_eq(
  $$ select vote_count, (select count(*) from app.fresh_votes) from app.posts where id = tests.id('trams') $$,
  $$ values (9, 5::bigint) $$, 'rank_votes counts the votes of its batch to their post and leaves the others'
);
select set_eq(
  'select pg_temp.ranked(1000)',
  array[
    'maya on trams: 10', 'jonas on trams: 11', 'ben on bikes: 8', 'maya on locked: none', 'jonas on locked: none'
  ],
  'rank_votes ranks each post separately and gives no rank on a private post'
);
select set_eq(
  'select slider_text, vote_count, score from app.posts join app.trending_scores on post_id = id',
  $$
    select name, count, case name
      when 'trams' then app.sum_of_scores(
        app.sum_of_scores(score, app.activity_score(2, app.now())), app.activity_score(2, app.now())
      )
      else app.sum_of_scores(score, app.activity_score(1, app.now()))
    end
    from (values ('trams', 11), ('bikes', 8), ('locked', 9)) as counted (name, count)
    join scores_before on post_id = tests.id(name)
  $$,
  'rank_votes counts votes to public and private posts, and each adds 1 to the trending score but the author''s'
);
select is(app.rank_votes(1000, 100000), '{}', 'rank_votes deletes the votes that it has ranked');

rollback to empty;

-- rank_votes limits the votes and streams of a batch.
select tests.person(name) from unnest(array['ann', 'ben', 'jonas', 'maya', 'lena']) as name;
select tests.slider('trams', 'lena');
select tests.disable_index_scans();
-- A vote comes into the sources of its voter and of each of their Hubs: of Maya into 1, Ann 202, Jonas 4 and Ben 201.
create function pg_temp.taken(p_limit integer, p_row_limit integer)
returns text
language sql
as $$
  delete from app.fresh_votes;
  insert into app.fresh_votes (post_id, user_id, hub_count, cast_at)
  select tests.id('trams'), tests.id(name), hub_count, app.now() + seconds * interval '1 second'
  from (values ('maya', 0, 4), ('ann', 201, 1), ('jonas', 3, 3), ('ben', 200, 2)) as vote (name, hub_count, seconds);
  select string_agg(p.username, ', ' order by p.username)
  from unnest(app.rank_votes(p_limit, p_row_limit)) as v
  join app.profiles as p on p.user_id = v.user_id
$$;
select is(pg_temp.taken(vote_limit, row_limit), expected, title)
from (
  values
    (1, 1000, 'ben', 'rank_votes takes the earliest vote of a voter in at most 200 Hubs'),
    (2, 1000, 'ben, jonas', 'rank_votes takes the second earliest vote next'),
    (3, 1000, 'ben, jonas, maya', 'rank_votes takes the third earliest vote next'),
    (4, 1000, 'ann, ben, jonas, maya', 'rank_votes takes the vote of a voter in more than 200 Hubs last'),
    (4, 408, 'ann, ben, jonas, maya', 'rank_votes takes four votes whose 408 streams meet the limit'),
    (4, 407, 'ben, jonas, maya', 'rank_votes leaves a vote that would exceed the limit of streams'),
    (4, 206, 'ben, jonas, maya', 'rank_votes takes three votes whose 206 streams meet the limit'),
    (4, 205, 'ben, jonas', 'rank_votes counts the voter''s own stream towards the limit'),
    (4, 204, 'ben', 'rank_votes does not skip a vote to fit a smaller one in'),
    (4, 0, 'ben', 'rank_votes takes one vote even above the limit of streams')
) as c (vote_limit, row_limit, expected, title);

update app.posts set vote_count = 0;
delete from app.fresh_votes;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id('trams'), voter, app.now()
from unnest(tests.ids('ann', 'ben', 'jonas', 'maya', 'lena')) as voter order by voter desc;
create temporary table first as select * from unnest(app.rank_votes(5, 0));
select is(count(*), 1::bigint, 'rank_votes takes one vote of several cast at the same time') from first;
select results_eq(
  'select user_id from unnest(app.rank_votes(5, 1000)) order by baseline',
  'select id from app.users where id not in (select user_id from first) order by id',
  'rank_votes ranks votes cast at the same time by user id'
);

select * from finish();
rollback;
