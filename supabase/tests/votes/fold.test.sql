begin;
select plan(122);
savepoint empty;

-- add_to_pool: adds votes
select tests.elm();
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select app.add_to_pool(tests.id('trams'), tests.id('elm'), row(1, 2, 3, 4, 5));
select results_eq('select tests.pools()', array['trams in elm (1,2,3,4,5)'], 'to a pool that there was not yet');
select app.add_to_pool(tests.id('bikes'), tests.id('elm'), row(0, 0, 7, 0, 0));
select app.add_to_pool(tests.id('trams'), tests.id('elm'), row(10, 20, 30, 40, 50));
select bag_eq('select tests.pools()', array['trams in elm (11,22,33,44,55)', 'bikes in elm (0,0,7,0,0)'], 'to what is in it');
select is_empty($$ select tests.who_may('select app.add_to_pool(null, null, null)') $$, 'no role adds any by itself');

rollback to empty;

-- fold_ballots: promotes what was shared
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', name, 'right') from unnest(array['trams', 'bikes']) as name;
select tests.fold();
select is_empty('select from app.promotions', 'nothing is to be promoted');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.placed('boats', 'elm', p_kind => 'targeted', p_by => 'lena');
select results_eq('select post_id from app.promotions', tests.ids('trams'), 'until it is shared; what is there from the beginning has nothing to promote');
select is(app.fold_ballots(array[tests.key('lost')]), false, 'without the key there is nothing to do');
select ok(app.fold_ballots(array[tests.key('new'), tests.key()]), 'with it there is');
select is(tests.counts('trams', 'elm'), '(0,0,0,1,0)', 'where it was shared it counts');
select bag_eq(
  'select tests.pending()', array['trams in oak now (0,0,0,1,0)', 'bikes in elm now (0,0,0,1,0)', 'bikes in oak now (0,0,0,1,0)'], 'and there alone'
);
select ok(not app.fold_ballots(array[tests.key('new'), tests.key()]), 'once');

rollback to empty;

-- fold_ballots: settles all that its keys open
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', 'trams', 'right');
select tests.vote('maya', 'bikes', 'left');
select tests.vote('maya', 'trams', 'left', p_key => tests.key('lost'));
select ok(app.fold_ballots(array[tests.key()]), 'there are some');
select ok(app.fold_ballots(array[tests.key()]), 'of the other post');
select ok(not app.fold_ballots(array[tests.key()]), 'and then no more');
select bag_eq(
  'select tests.pending()', array['trams in elm now (0,0,0,1,0)', 'trams in oak now (0,0,0,1,0)', 'bikes in elm now (0,1,0,0,0)'], 'all are settled'
);
select results_eq($$ select tests.ballots(tests.key('lost')) $$, array['trams (0,1,0,0,0) for elm'], 'but what no key opens');
select tests.vote('lena', 'boats', 'left');
select tests.vote('jonas', 'boats', 'left');
delete from app.posts where id = tests.id('boats');
select ok(app.fold_ballots(array[tests.key()]), 'what is of a post that has gone');
select ok(not app.fold_ballots(array[tests.key()]), 'is settled as well');
select set_eq($$ select tests.who_may('select app.fold_ballots(null)') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- fold_pools: goes in one order
select tests.person('lena');
select tests.hub(name, 'lena') from unnest(array['elm', 'oak', 'ash', 'fir']) as name;
select tests.slider('post ' || n, 'lena') from generate_series(1, 4) as n;
insert into app.vote_slots (post_id, hub_id, slot, left_count, generation)
select p.id, h.id, slot, 1, 0
from app.posts as p
cross join (select id from app.hubs union all select null) as h
cross join generate_series(11, 13) as slot
order by h.id desc nulls first, p.id desc;
create temporary table added (place integer generated always as identity, post_id uuid, hub_id uuid);
create function pg_temp.note() returns trigger language plpgsql security definer as 'begin insert into added (post_id, hub_id) values (new.post_id, new.hub_id); return null; end';
create trigger added after insert or update on app.vote_pools for each row execute function pg_temp.note();
-- Nothing is in order just because it was added up in one.
set local enable_sort = off;
select app.fold_pools(0::smallint);
-- Whoever adds to several of them waits for none that waits for them.
select results_eq(
  'select post_id, hub_id from added order by place', 'select post_id, hub_id from app.vote_pools order by post_id, hub_id',
  'pools are added to one after the other, in an order for all, each once'
);

rollback to empty;

-- fold_pools: holds what it counts for
-- Without triggers, which would hold rows by themselves.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), tests.id('elm'));
insert into app.vote_slots (post_id, hub_id, slot, left_count) values (tests.id('trams'), tests.id('elm'), 1, 1);
select tests.sealed_total('bikes', 'oak', row(1, 0, 0, 0, 0));
select app.store_ballot(tests.id('bikes'), 'left', tests.ids('oak'), tests.key());

create function pg_temp.held()
returns setof text
language sql
as $$
  select p.slider_text from app.posts as p where p.xmax <> '0'
  union all
  select h.name from app.hubs as h where h.xmax <> '0'
$$;

select is_empty('select pg_temp.held()', 'at first nothing is held');
select app.fold_pools(app.slot_generation());
select bag_eq('select pg_temp.held()', array['trams', 'elm'], 'who deletes a post or a Hub waits for the fold of its pools');
select app.settle_pending(tests.id('bikes'), array[tests.key()]);
select bag_eq('select pg_temp.held()', array['trams', 'elm', 'bikes', 'oak'], 'and for that of what is pending');

rollback to empty;

-- fold_pools: is in nobodys way
-- Without triggers, which would hold rows by themselves.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), tests.id('elm'));
insert into app.vote_slots (post_id, hub_id, slot, left_count) values (tests.id('trams'), tests.id('elm'), 1, 1);
-- The strongest lock that is held on a row: taking it again, or a weaker one, leaves no trace.
create function pg_temp.lock_of(p_table regclass, p_id uuid)
returns text
language plpgsql
as $$
declare
  v_before text;
  v_after text;
  v_lock text;
  v_held text;
begin
  execute format('select xmax from %s where id = $1', p_table) using p_id into v_before;
  foreach v_lock in array array['key share', 'share', 'no key update', 'update'] loop
    begin
      execute format('select from %s where id = $1 for %s', p_table, v_lock) using p_id;
      execute format('select xmax from %s where id = $1', p_table) using p_id into v_after;
      raise division_by_zero;
    exception when division_by_zero then
      exit when v_before <> v_after;
      v_held := v_lock;
    end;
  end loop;
  return v_held;
end
$$;

select is(pg_temp.lock_of('app.posts', tests.id('trams')), null, 'nothing is held');
select app.fold_pools(app.slot_generation());
select is(pg_temp.lock_of('app.posts', tests.id('trams')), 'key share', 'the fold of pools holds posts against their end alone');
select is(pg_temp.lock_of('app.hubs', tests.id('elm')), 'key share', 'and Hubs');
select is(pg_temp.lock_of('app.hubs', tests.id('oak')), null, 'but no others');
select tests.sealed_total('bikes', 'oak', row(1, 0, 0, 0, 0));
select app.store_ballot(tests.id('bikes'), 'left', tests.ids('oak'), tests.key());
select app.settle_pending(tests.id('bikes'), array[tests.key()]);
select is(pg_temp.lock_of('app.hubs', tests.id('oak')), 'key share', 'that of what is pending as well');
select is(pg_temp.lock_of('app.posts', tests.id('bikes')), 'no key update', 'and posts against whoever shares them, not against who votes on them');

rollback to empty;

-- fold_pools: is one at a time
create function pg_temp.is_held(p_fold text)
returns boolean
language sql
as $$
  select exists (
    select from pg_locks as l
    where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.mode = 'ExclusiveLock'
      and (l.classid::bigint << 32) | l.objid::bigint = hashtext(p_fold)
  )
$$;

select app.fold_pools(app.slot_generation());
select ok(pg_temp.is_held('app.fold_pools'), 'another fold of pools waits for it');
select app.fold_ballots(array[tests.key()]);
select ok(pg_temp.is_held('app.fold_ballots'), 'one of ballots');
select app.fold_receipts();
select ok(pg_temp.is_held('app.fold_receipts'), 'one of receipts');
select app.fan_out_milestones();
select ok(pg_temp.is_held('app.fan_out_milestones'), 'and another who tells of milestones');

rollback to empty;

-- fold_pools: keeps totals
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
insert into app.vote_pools (post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values (tests.id('trams'), null, 100, 200, 300, 400, 500), (tests.id('trams'), tests.id('elm'), 1000, 2000, 3000, 4000, 5000);
insert into app.vote_slots (post_id, hub_id, slot, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), null, 11, 1, 2, 3, 4, 5), (tests.id('trams'), null, 12, 10, 20, 30, 40, 50),
  (tests.id('trams'), null, 13, 1000, 2000, 3000, 4000, 5000),
  (tests.id('trams'), tests.id('elm'), 11, 1, 2, 3, 4, 5), (tests.id('trams'), tests.id('elm'), 12, 10, 20, 30, 40, 50),
  (tests.id('trams'), tests.id('oak'), 11, 7, 0, 0, 0, 0), (tests.id('bikes'), null, 12, 0, 0, 7, 0, 0);
update app.vote_slots set generation = slot % 2;
select is(count(distinct tableoid), 2::bigint, 'slots of both generations') from app.vote_slots;
create temporary table before as select tests.pools() as pool;

set local session authorization opine_worker;
select app.fold_pools(0::smallint), app.fold_pools(1::smallint);
reset session authorization;
select bag_eq(
  'select post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count from app.vote_pools',
  $$
    values
      (tests.id('trams'), null::uuid, 1111::bigint, 2222::bigint, 3333::bigint, 4444::bigint, 5555::bigint),
      (tests.id('trams'), tests.id('elm'), 1011, 2022, 3033, 4044, 5055),
      (tests.id('trams'), tests.id('oak'), 7, 0, 0, 0, 0),
      (tests.id('bikes'), null, 0, 0, 7, 0, 0)
  $$,
  'what the slots counted is in the pools, each scope in its own'
);
select is_empty('select from app.vote_slots', 'and in no slot');
select bag_eq('select tests.pools()', 'select pool from before', 'everybody sees what they saw before');
select app.fold_pools(0::smallint), app.fold_pools(1::smallint);
select bag_eq('select tests.pools()', 'select pool from before', 'folding again changes nothing');
insert into app.vote_slots (post_id, slot, left_count) values (tests.id('bikes'), 11, 1);
select app.fold_pools(0::smallint), app.fold_pools(1::smallint);
select is(tests.counts('bikes'), '(0,1,7,0,0)', 'what comes later is added');
select set_eq($$ select tests.who_may('select app.fold_pools()') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- fold_pools: leaves what is voted into
select tests.person('lena');
select tests.person('maya');
select tests.slider('trams', 'lena');
select app.set_clock_offset(date_trunc('minute', now()) - now());
select tests.vote('lena', 'trams', 'left');
select app.fold_pools();
select is_empty('select from app.vote_pools', 'a slot that somebody may be counting in is left alone');
select app.set_clock_offset(date_trunc('minute', now()) - now() + interval '30 seconds');
select tests.vote('maya', 'trams', 'right');
select app.fold_pools();
select results_eq('select left_count, right_count from app.vote_pools', 'values (1::bigint, 0::bigint)', 'half a minute later it is folded');
select results_eq('select left_count, right_count from app.vote_slots', 'values (0::bigint, 1::bigint)', 'and the other one left alone');
select is(tests.counts('trams'), '(0,1,0,1,0)', 'each vote counts once');

rollback to empty;

-- fold_pools: passes over what has gone
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.placed(post, hub) from unnest(array['trams', 'bikes']) as post cross join unnest(array['elm', 'oak']) as hub;
select tests.vote('jonas', name, 'left') from unnest(array['trams', 'bikes']) as name;
select tests.vote('lena', name, 'right') from unnest(array['trams', 'bikes']) as name;
delete from app.posts where id = tests.id('bikes');
delete from app.hubs where id = tests.id('oak');
select bag_eq('select tests.pools()', array['trams (0,1,0,1,0)', 'trams in elm (0,1,0,0,0)', 'trams (0,0,0,1,0)'], 'a post and a Hub go, and what was counted stays for a moment');
select tests.fold();
select bag_eq('select tests.pools()', array['trams (0,1,0,1,0)', 'trams in elm (0,1,0,0,0)'], 'the fold keeps what is there');
select is_empty('select from app.vote_slots union all select from app.fresh_votes union all select from app.pending_ballots', 'and nothing of what is not');
select set_eq('select post_id from app.vote_pools', tests.ids('trams'), 'in no pool');

rollback to empty;

-- fold_receipts: brings acts into hubs
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('ash', 'maya');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
delete from app.feed_events;
select tests.vote('jonas', name, 'left', '10 minutes') from unnest(array['trams', 'locked', 'boats']) as name;
select tests.vote('maya', 'bikes', 'left', '10 minutes');
select tests.did('commented', 'maya', 'trams'), tests.did('commented', 'maya', 'bikes');
delete from app.feed_events where hub_id is not null;
update app.feed_events set lost_at = app.now(), lost_by = pg_current_xact_id() where post_id = tests.id('boats');
select bag_eq($$ select tests.acts('trams') $$, array['voted by jonas', 'commented by maya'], 'a vote is in the voter''s own stream');
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select tests.membership('elm', 'lena');
select app.fold_receipts();
select bag_eq(
  $$ select tests.acts('trams') $$, array['voted by jonas', 'voted by jonas in oak', 'commented by maya'], 'the fold brings it into those of the Hubs where they are then'
);
select bag_eq($$ select tests.acts('bikes') $$, array['voted by maya', 'voted by maya in elm', 'voted by maya in ash', 'commented by maya'], 'each into their own, and nothing else that they did');
select is_empty($$ select tests.acts('locked') union all select tests.acts('boats') $$, 'nothing of a private post, and of what is lost');
select results_eq(
  $$ select distinct occurred_at from app.feed_events where kind = 'voted' and lost_at is null $$, array[app.now() + interval '10 minutes'], 'at the time by lot'
);
update app.feed_events set occurred_at = app.now() where kind = 'voted';
select tests.vote('lena', 'trams', 'left', '10 minutes');
select app.fold_receipts();
select bag_eq(
  $$ select actor_id, occurred_at from app.feed_events where post_id = tests.id('trams') and kind = 'voted' and hub_id is null $$,
  $$ values (tests.id('jonas'), app.now()), (tests.id('lena'), app.now() + interval '10 minutes') $$, 'acts of former folds stay as they are'
);

rollback to empty;

-- fold_receipts: goes in one order
select tests.person('lena');
select tests.person('voter_' || n) from generate_series(1, 10) as n;
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.vote('voter_' || n, name, 'left', '10 minutes') from generate_series(1, 10) as n cross join unnest(array['trams', 'bikes']) as name;
create temporary table brought (place integer generated always as identity, actor_id uuid, post_id uuid);
create function pg_temp.note() returns trigger language plpgsql security definer as 'begin insert into brought (actor_id, post_id) values (new.actor_id, new.post_id); return null; end';
create trigger brought after update on app.feed_events for each row execute function pg_temp.note();
select app.fold_receipts();
-- Whoever holds several of them waits for none that waits for them.
select results_eq(
  'select actor_id, post_id from brought order by place', 'select actor_id, post_id from app.feed_events where kind = ''voted'' order by actor_id, post_id',
  'acts are brought one after the other, in an order for all'
);

rollback to empty;

-- fold_receipts: goes in parts
select tests.person('lena');
select tests.slider('trams', 'lena');
insert into app.users (id) select tests.id('voter ' || n) from generate_series(1, 500) as n;
insert into app.vote_receipts (post_id, user_id, voted_at)
select tests.id('trams'), tests.id('voter ' || n), date_trunc('minute', app.now()) from generate_series(1, 500) as n;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id('trams'), tests.id('voter ' || n), app.now() + n * interval '1 second' from generate_series(1, 500) as n;
select tests.vote('lena', 'trams', 'left');
update app.fresh_votes set cast_at = app.now() + interval '501 seconds' where user_id = tests.id('lena');
select ok(app.fold_receipts(), 'five hundred at a time: there may be more');
select is(count(baseline), 500::bigint, 'of those who voted first') from app.vote_receipts where user_id <> tests.id('lena');
select bag_eq($$ select tests.baselines('trams') $$, array['lena: not ranked'], 'the rest waits');
select ok(app.fold_receipts(), 'for the next time');
select bag_eq($$ select tests.baselines('trams') $$, array['lena: 501'], 'and goes on from there');
select ok(not app.fold_receipts(), 'until there is none');

select tests.person(name) from unnest(array['maya', 'noor']) as name;
select tests.vote(name, 'trams', 'left') from unnest(array['maya', 'noor']) as name;
update app.fresh_votes set hub_count = 6000;
update app.fresh_votes set cast_at = cast_at - interval '1 second' where user_id = tests.id('maya');
select ok(app.fold_receipts(), 'one alone where they come into thousands of streams');
select is(count(*), 1::bigint, 'and another one waits') from app.fresh_votes where user_id = tests.id('noor');
select tests.person('ben');
select tests.vote('ben', 'trams', 'left');
select app.fold_receipts();
select bag_eq($$ select tests.baselines('trams') $$, array['lena: 501', 'maya: 502', 'ben: 503', 'noor: not ranked'], 'behind those who are in fewer Hubs');

delete from app.fresh_votes;
create function pg_temp.left_over(p_hub_counts integer[])
returns bigint
language plpgsql
as $$
begin
  insert into app.fresh_votes (post_id, user_id, hub_count, cast_at)
  select tests.id('trams'), tests.id('maya'), hub_count, app.now() + place * interval '1 second'
  from unnest(p_hub_counts) with ordinality as vote (hub_count, place);
  perform app.fold_receipts();
  return (select count(*) from app.fresh_votes);
end
$$;
select is(pg_temp.left_over(array[2499, 2200, 298]), 0::bigint, 'as many as come into 5,000 streams');
select is(pg_temp.left_over(array[2499, 2200, 299]), 1::bigint, 'and not into one more');

rollback to empty;

-- fold_receipts: ranks receipts
select tests.elm();
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.vote('jonas', 'trams', 'left');
select app.set_clock_offset('1 second');
select tests.vote('maya', 'trams', 'left'), tests.vote('maya', 'locked', 'left');
select tests.receipt('amara', 'trams', 77);
insert into app.fresh_votes (post_id, user_id, cast_at) values (tests.id('trams'), tests.id('amara'), app.now() + interval '1 second');
select bag_eq($$ select tests.baselines('trams') $$, array['jonas: not ranked', 'maya: not ranked', 'amara: 77'], 'a vote is not ranked');
select ok(app.fold_receipts(), 'until the fold');
select bag_eq($$ select tests.baselines('trams') $$, array['jonas: 1', 'maya: 2', 'amara: 77'], 'after it it is, for good');
select bag_eq($$ select tests.baselines('locked') $$, array['maya: not ranked'], 'on a private post never');
select tests.vote('lena', 'trams', 'left'), tests.vote('lena', 'bikes', 'left');
select app.fold_receipts();
select bag_eq($$ select tests.baselines('trams') $$, array['jonas: 1', 'maya: 2', 'amara: 77', 'lena: 4'], 'later ones go on from there');
select bag_eq($$ select tests.baselines('bikes') $$, array['lena: 1'], 'on each post by itself');
select ok(not app.fold_receipts(), 'then there is nothing to do');
select set_eq($$ select tests.who_may('select app.fold_receipts()') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- fold_receipts: writes them anew
select tests.elm();
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.person('voter_' || n) from generate_series(1, 20) as n;
select app.set_clock_offset('-1 day');
select tests.vote('jonas', 'trams', 'left');
select tests.fold();
-- Each vote runs in a transaction of its own within that of the test.
create function pg_temp.vote_alone(p_voter text, p_post text)
returns void
language plpgsql
as $$
begin
  perform tests.vote(p_voter, p_post, 'left', '1 minute');
exception when division_by_zero then raise;
end
$$;
create function pg_temp.votes_in_turn()
returns void
language plpgsql
as $$
begin
  for v_n in 1..20 loop
    perform app.set_clock_offset(v_n * interval '1 second');
    perform pg_temp.vote_alone('voter_' || v_n, 'trams');
  end loop;
end
$$;
select pg_temp.votes_in_turn();
create temporary table before as select user_id, xmin as written_by, ctid as place from app.vote_receipts;
create temporary table acts_before as select actor_id, xmin as written_by, ctid as place from app.feed_events where kind = 'voted' and hub_id is null;
select is(count(distinct written_by::text), 20::bigint, 'each is of the transaction of its vote') from before where user_id <> tests.id('jonas');
select is(count(distinct written_by::text), 20::bigint, 'and so is each act') from acts_before where actor_id <> tests.id('jonas');
select app.fold_receipts();

select is(count(distinct r.xmin::text), 1::bigint, 'then all are of one')
from app.vote_receipts as r
where r.user_id <> tests.id('jonas');
select is_empty('select from before join app.vote_receipts as r using (user_id) where user_id <> tests.id(''jonas'') and r.xmin = written_by', 'of none of the votes');
select isnt(
  array(select user_id from app.vote_receipts as r where user_id <> tests.id('jonas') order by r.ctid),
  array(select user_id from before where user_id <> tests.id('jonas') order by place), 'in another order'
);
select isnt(
  array(select user_id from app.vote_receipts as r where user_id <> tests.id('jonas') order by r.ctid),
  array(select user_id from app.vote_receipts where user_id <> tests.id('jonas') order by user_id), 'that is by lot'
);
select is(count(distinct e.xmin::text), 1::bigint, 'all acts as well') from app.feed_events as e where kind = 'voted' and actor_id <> tests.id('jonas');
select is_empty(
  'select from acts_before join app.feed_events as e using (actor_id) where actor_id <> tests.id(''jonas'') and e.kind = ''voted'' and e.xmin = written_by', 'of none of the votes'
);
select is_empty(
  'select from before join app.vote_receipts as r using (user_id) where user_id = tests.id(''jonas'') and r.ctid <> place', 'those of former folds stay as they are'
);

rollback to empty;

-- rank_votes: holds in one order
-- Without triggers, which would hold rows by themselves.
set local session_replication_role = replica;
select tests.person('lena');
select tests.slider('post ' || n, 'lena') from (select n from generate_series(1, 6) as n order by tests.id('post ' || n) desc) as made;
insert into app.fresh_votes (post_id, user_id) select p.id, tests.id('lena') from app.posts as p order by p.id desc;
-- Each row is held by a transaction of its own within that of the test: whoever holds it next is noted beside that, one
-- number after the other.
create function pg_temp.hold(p_table regclass)
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
select pg_temp.hold('app.posts');
create temporary table held (place bigint, id uuid);
create function pg_temp.note() returns trigger language plpgsql as 'begin insert into held select p.xmax::text::bigint, p.id from app.posts as p where not exists (select from held); return old; end';
create trigger held before delete on app.fresh_votes for each row execute function pg_temp.note();
alter table app.fresh_votes enable always trigger held;
select tests.without_indexes();
select app.rank_votes(100, 1000);
-- A merge holds several in the same order, so that neither waits for one that waits for it.
select results_eq('select id from held order by place', 'select id from app.posts order by id', 'posts are held one after the other, in an order for all');

rollback to empty;

-- rank_votes: holds the posts first
select tests.person('lena');
-- Without triggers, which would hold rows by themselves.
set local session_replication_role = replica;
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id(name), tests.id('lena'), app.now() + place * interval '1 second'
from unnest(array['trams', 'bikes', 'boats']) with ordinality as vote (name, place);
create temporary table held (name text, lock text);
-- The strongest lock that is held on a row: taking it again, or a weaker one, leaves no trace.
create function pg_temp.lock_of(p_table regclass, p_id uuid)
returns text
language plpgsql
as $$
declare
  v_before text;
  v_after text;
  v_lock text;
  v_held text;
begin
  execute format('select xmax from %s where id = $1', p_table) using p_id into v_before;
  foreach v_lock in array array['key share', 'share', 'no key update', 'update'] loop
    begin
      execute format('select from %s where id = $1 for %s', p_table, v_lock) using p_id;
      execute format('select xmax from %s where id = $1', p_table) using p_id into v_after;
      raise division_by_zero;
    exception when division_by_zero then
      exit when v_before <> v_after;
      v_held := v_lock;
    end;
  end loop;
  return v_held;
end
$$;
create function pg_temp.note()
returns trigger
language plpgsql
security definer
as $$
begin
  insert into held select p.slider_text, pg_temp.lock_of('app.posts', p.id) from app.posts as p where p.xmax <> '0';
  return old;
end
$$;
create trigger held before delete on app.fresh_votes for each row execute function pg_temp.note();
alter table app.fresh_votes enable always trigger held;
select is_empty('select from app.posts where xmax <> ''0''', 'at first nothing is held');
select app.rank_votes(2, 1000);
-- A merge takes posts first as well, so that neither waits for one that waits for it.
select set_eq('select name, lock from held', $$ values ('trams', 'no key update'), ('bikes', 'no key update') $$, 'before a vote is taken, the posts are held as to count it');
select is(vote_count, 0, 'those on which none is taken not at all') from app.posts where slider_text = 'boats';

rollback to empty;

-- rank_votes: passes over what has gone
select tests.elm();
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.vote('jonas', 'bikes', 'left'), tests.vote('jonas', 'trams', 'left'), tests.vote('maya', 'trams', 'left');
delete from app.posts where id = tests.id('bikes');
delete from app.users where id = tests.id('jonas');
select app.fold_receipts();
select is_empty('select from app.fresh_votes', 'the votes on a post that has gone are done with');
select is(vote_count, 2, 'those of somebody who has gone count on') from app.posts;
select is(count(*), 1::bigint, 'without a receipt') from app.vote_receipts;

rollback to empty;

-- rank_votes: queues what is reached
select tests.elm();
select tests.slider('trams', 'lena');
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
create function pg_temp.reached(p_post text, p_former integer, p_voters text[])
returns text
language plpgsql
as $$
begin
  delete from app.milestones;
  update app.posts set vote_count = p_former where id = tests.id(p_post);
  insert into app.fresh_votes (post_id, user_id) select tests.id(p_post), tests.id(voter) from unnest(p_voters) as voter;
  perform app.rank_votes(1000, 100000);
  return (select string_agg(format('%s to %s', m.next_total, m.last_total), ', ') from app.milestones as m where m.post_id = tests.id(p_post));
end
$$;
select is(pg_temp.reached('trams', 97, '{maya,jonas}'), null, 'below a hundred votes there is no milestone');
select is(pg_temp.reached('trams', 98, '{maya,jonas}'), '99 to 100', 'the hundredth may be one');
select is(pg_temp.reached('trams', 100, '{maya,jonas}'), null, 'those after it not');
select is(pg_temp.reached('trams', 199, '{maya,jonas}'), '200 to 201', 'the two hundredth again');
select is(pg_temp.reached('trams', 499, '{maya}'), '500 to 500', 'the five hundredth');
select is(pg_temp.reached('trams', 500, '{maya}'), '501 to 501', 'and from there on each, of somebody who voted 500 before');
select is(pg_temp.reached('trams', 501, '{maya,jonas}'), '502 to 503', 'however many');
select is(pg_temp.reached('trams', 501, '{}'), null, 'where somebody voted');
select is(pg_temp.reached('locked', 599, '{maya,jonas}'), null, 'on private posts none');

rollback to empty;

-- rank_votes: ranks in the order of casting
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

rollback to empty;

-- rank_votes: takes some
select tests.person(name) from unnest(array['ann', 'ben', 'jonas', 'maya', 'lena']) as name;
select tests.slider('trams', 'lena');
select tests.without_indexes();
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
select is(pg_temp.taken(1, 1000), 'ben', 'who voted first of those who are in up to 200 Hubs');
select is(pg_temp.taken(2, 1000), 'ben, jonas', 'who voted after them');
select is(pg_temp.taken(3, 1000), 'ben, jonas, maya', 'and so on');
select is(pg_temp.taken(4, 1000), 'ann, ben, jonas, maya', 'who is in more comes last');
-- Into the stream of each of their Hubs and into their own: 201, 4, 1 and 202.
select is(pg_temp.taken(4, 408), 'ann, ben, jonas, maya', 'as many as come into so many streams');
select is(pg_temp.taken(4, 407), 'ben, jonas, maya', 'not into more');
select is(pg_temp.taken(4, 206), 'ben, jonas, maya', 'the first ones of them');
select is(pg_temp.taken(4, 205), 'ben, jonas', 'of whom each counts');
select is(pg_temp.taken(4, 204), 'ben', 'whoever would still fit in');
select is(pg_temp.taken(4, 0), 'ben', 'one in any case');

delete from app.fresh_votes;
update app.posts set vote_count = 0;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id('trams'), voter, app.now() from unnest(tests.ids('ann', 'ben', 'jonas', 'maya', 'lena')) as voter order by voter desc;
select is(cardinality(app.rank_votes(5, 0)), 1, 'and no other who voted at the same moment');
delete from app.fresh_votes;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id('trams'), voter, app.now() from unnest(tests.ids('ann', 'ben', 'jonas', 'maya', 'lena')) as voter order by voter desc;
select results_eq(
  'select user_id from unnest(app.rank_votes(5, 1000)) order by baseline', 'select id from app.users order by id',
  'they are ranked by their ids'
);

update app.posts set vote_count = 0;
insert into app.fresh_votes (post_id, user_id) values (tests.id('trams'), null), (tests.id('trams'), null), (tests.id('trams'), tests.id('maya'));
select app.rank_votes(3, 1000);
select is(vote_count, 3, 'votes of those who became part of somebody count') from app.posts;

insert into app.fresh_votes (post_id, user_id) values (tests.id('gone'), tests.id('maya'));
select is(cardinality(app.rank_votes(3, 1000)), 1, 'what is on a post that has gone is taken');
select is_empty('select from app.fresh_votes', 'and done with');

select * from finish();
rollback;
