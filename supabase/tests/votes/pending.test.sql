begin;
select plan(90);
savepoint empty;

-- add_to_pending: adds votes of an hour
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.sealed_total('trams', 'elm', row(1, 2, 3, 4, 5));
select results_eq('select tests.pending()', array['trams in elm now (1,2,3,4,5)'], 'sealed by the key');
select tests.sealed_total('trams', 'elm', row(10, 20, 30, 40, 50));
select results_eq('select tests.pending()', array['trams in elm now (11,22,33,44,55)'], 'to what is pending of that hour');
select tests.sealed_total('trams', 'elm', row(1, 0, 0, 0, 0), -1);
select tests.sealed_total('trams', 'oak', row(2, 0, 0, 0, 0));
select tests.sealed_total('bikes', 'elm', row(3, 0, 0, 0, 0));
select tests.sealed_total('trams', 'elm', row(4, 0, 0, 0, 0), 0, tests.key('new'));
select tests.sealed_total('trams', 'elm', row(5, 0, 0, 0, 0), 0, tests.key('new'));
select bag_eq(
  'select tests.pending(tests.key(), tests.key(''new''))',
  array[
    'trams in elm now (11,22,33,44,55)', 'trams in elm -1 h (1,0,0,0,0)', 'trams in oak now (2,0,0,0,0)', 'bikes in elm now (3,0,0,0,0)',
    'trams in elm now (9,0,0,0,0)'
  ],
  'other hours, Hubs, posts and keys by themselves'
);
select bag_eq(
  'select tests.pending(tests.key(''new''))',
  array['trams in elm now sealed', 'trams in elm -1 h sealed', 'trams in oak now sealed', 'bikes in elm now sealed', 'trams in elm now (9,0,0,0,0)'],
  'each to be opened by its own key'
);
select tests.sealed_total('bikes', 'oak', row(999999999, 999999999, 999999999, 999999999, 999999999));
select is(count(distinct octet_length(sealed)), 1::bigint, 'all are of one length, however many votes they are') from app.pending_totals;
select is_empty($$ select tests.who_may('select app.add_to_pending(null, null, null, null, null)') $$, 'no role adds any by itself');

rollback to empty;

-- key_id: tells keys apart
select is(app.key_id('secret'), substr(sha256('secret'), 1, 8), 'eight bytes of its hash');
select is(app.key_ids(array['secret', 'other']), array[app.key_id('secret'), app.key_id('other')], 'of several each, in their order');
select is(app.key_ids('{}'), '{}', 'of none none');

rollback to empty;

-- promote_pending: counts all ballots
select tests.elm();
select tests.slider('trams', 'lena');
select app.store_ballot(tests.id('trams'), 'neutral', tests.ids('elm'), tests.key()) from generate_series(1, 501);
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select app.promote_pending(tests.id('trams'), array[tests.key()]);
select is(tests.counts('trams', 'elm'), '(0,0,501,0,0)', 'a share counts every ballot that waits');
select is_empty('select from app.pending_ballots', 'a share leaves no ballot that it could open');

rollback to empty;

-- promote_pending: counts at once
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.vote('jonas', name, 'right') from unnest(array['trams', 'bikes']) as name;
select tests.fold();
select tests.vote('maya', 'trams', 'left');
select app.store_ballot(tests.id('trams'), 'neutral', tests.ids('elm'), tests.key()) from generate_series(1, 499);
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
create temporary table before as select tests.pending() as pending;
select tests.authenticate_as('lena');
select app.promote_pending(tests.id('trams'), array[tests.key('guessed')]), app.promote_pending(tests.id('trams'), '{}');
reset role;
select is(tests.counts('trams', 'elm'), null, 'who has none of the keys promotes nothing');
select bag_eq('select tests.pending()', 'select pending from before', 'and takes nothing away');
select is(count(*), 500::bigint, 'no ballot either') from app.pending_ballots;
select tests.authenticate_as('lena');
select app.promote_pending(tests.id('trams'), array[tests.key()]);
reset role;
select is(tests.counts('trams', 'elm'), '(0,1,499,1,0)', 'totals and ballots count');
select bag_eq(
  'select tests.pending()', array['trams in oak now (0,0,0,1,0)', 'bikes in elm now (0,0,0,1,0)', 'bikes in oak now (0,0,0,1,0)'],
  'those of other Hubs and posts wait'
);
select app.store_ballot(tests.id('trams'), 'neutral', tests.ids('elm'), tests.key('another'));
select lives_ok($$ select app.promote_pending(tests.id('trams'), array[tests.key()]) $$, 'what another key sealed is not waited for');
select set_eq($$ select tests.who_may('select app.promote_pending(null, null)') $$, array['authenticated'], 'for who shares');

rollback to empty;

-- prune_pending_totals: forgets what has expired
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', 'trams', 'right');
select tests.fold();
select tests.vote('maya', 'trams', 'left');
select tests.sealed_total('bikes', 'elm', row(1, 0, 0, 0, 0), 1), tests.sealed_total('boats', 'oak', row(1, 0, 0, 0, 0), 1);
select tests.placed('boats', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.placed('bikes', 'elm', p_kind => 'shared', p_by => 'jonas');
select set_config('tests.hour', date_trunc('hour', now(), 'UTC')::text, true);
create function pg_temp.prune_at(p_since_the_hour interval)
returns void
language sql
as $$
  select app.set_clock_offset(current_setting('tests.hour')::timestamptz + p_since_the_hour - now());
  select app.prune_pending_totals()
$$;

select pg_temp.prune_at('336 hours 59 minutes 59.999 seconds');
select set_eq('select post_id from app.pending_totals', tests.ids('trams', 'bikes', 'boats'), 'until its deadline a total is kept');
select isnt_empty('select from app.pending_ballots', 'and so is a ballot');
select results_eq('select post_id from app.promotions', tests.ids('bikes'), 'and that something is to be promoted, while there is any where it was shared');
select pg_temp.prune_at('337 hours');
select set_eq('select post_id from app.pending_totals', tests.ids('bikes', 'boats'), 'then the total is gone');
select is_empty('select from app.pending_ballots', 'and the ballot');
select isnt_empty('select from app.vote_receipts', 'the receipt stays');
select set_eq($$ select tests.who_may('select app.prune_pending_totals()') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- prune_pending_totals: goes in parts
select tests.elm();
select tests.slider('trams', 'lena');
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
select tests.id('trams'), tests.id('elm'), date_trunc('hour', app.now(), 'UTC') - (337 + n) * interval '1 hour', '', '' from generate_series(1, 20001) as n;
create function pg_temp.expired_ballots(p_count integer)
returns void
language sql
as $$
  insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
  select tests.id('trams'), date_trunc('hour', app.now(), 'UTC') - interval '337 hours', '', '' from generate_series(1, p_count)
$$;
select pg_temp.expired_ballots(2);
select ok(app.prune_pending_totals(), 'there is more');
select is(count(*), 1::bigint, 'so many that the worker is not stopped in between') from app.pending_totals;
select is_empty('select from app.pending_ballots', 'ballots by themselves');
select pg_temp.expired_ballots(19999);
select ok(not app.prune_pending_totals(), 'then there is no more');
select is_empty('select from app.pending_totals', 'as the rest is gone');
select is_empty('select from app.pending_ballots', 'and that of ballots');
select pg_temp.expired_ballots(20002);
select ok(app.prune_pending_totals(), 'of ballots alone as well');
select is(count(*), 2::bigint, 'as many') from app.pending_ballots;

rollback to empty;

-- seal: is nobodys
select is_empty(
  $$
    select role from unnest(array[
      'select app.seal(null, null)', 'select app.unseal(null, null, null)', 'select app.key_id(null)', 'select app.key_ids(null)', 'select app.pending_since()'
    ]) as statement
    cross join lateral tests.who_may(statement) as role
  $$,
  'no role seals or opens by itself'
);

rollback to empty;

-- seal: is opened by its key
create temporary table sealed as
select app.seal('{"position": "left"}', tests.key()) as one, app.seal('{"position": "left"}', tests.key()) as again;
select is(app.unseal(one, app.key_id(tests.key()), array[tests.key()]), '{"position": "left"}', 'what is sealed is opened') from sealed;
select is(app.unseal(one, app.key_id(tests.key()), array[tests.key('new'), tests.key()]), '{"position": "left"}', 'by whichever of the keys it was') from sealed;
select is(app.unseal(one, app.key_id(tests.key()), array[tests.key('new')]), null, 'by no other') from sealed;
select is(app.unseal(one, app.key_id(tests.key()), '{}'), null, 'and not without one') from sealed;
select throws_ok(
  $$ select app.unseal(one, app.key_id(tests.key('new')), array[tests.key('new')]) from sealed $$, '39000', null, 'a key that claims it is refused'
);
select isnt(one, again, 'sealed again it is another') from sealed;
select throws_ok(
  $$ select app.unseal(set_byte(one, octet_length(one) - 5, get_byte(one, octet_length(one) - 5) # 1), app.key_id(tests.key()), array[tests.key()]) from sealed $$,
  '39000', null, 'nobody changes what is sealed'
);
select matches(
  (select pg_get_functiondef('app.seal(text, text)'::regprocedure)), 'cipher-algo=aes256', 'AES of 256 bits'
);

rollback to empty;

-- settle_pending: counts or keeps
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.slider('boats', 'lena');
select tests.vote('jonas', 'trams', 'right');
select tests.vote('maya', 'trams', 'left');
select tests.vote('maya', 'bikes', 'left');
select app.fold_pools(app.slot_generation());
select app.settle_pending(tests.id('trams'), array[tests.key()]);
select bag_eq(
  'select tests.pending()', array['trams in elm now (0,1,0,1,0)', 'trams in oak now (0,0,0,1,0)', 'trams in fir now (0,0,0,1,0)'], 'ballots become totals of their hour'
);
select results_eq('select tests.ballots()', array['bikes (0,1,0,0,0) for elm'], 'those of other posts wait');
select bag_eq('select tests.pools()', array['trams (0,1,0,1,0)', 'bikes (0,1,0,0,0)'], 'and nobody sees them');

select tests.vote('amara', 'trams', 'neutral');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.placed('trams', 'fir', p_kind => 'shared', p_by => 'jonas');
select tests.placed('boats', 'oak', p_kind => 'shared', p_by => 'jonas');
select app.fold_pools(app.slot_generation());
select app.settle_pending(tests.id('trams'), array[tests.key()]);
select bag_eq(
  'select tests.pools()', array['trams (0,1,1,1,0)', 'bikes (0,1,0,0,0)', 'trams in elm (0,1,1,1,0)', 'trams in fir (0,0,0,1,0)'],
  'where the post is, totals and ballots count'
);
select results_eq('select tests.pending()', array['trams in oak now (0,0,0,1,0)'], 'and are pending no more');
select app.settle_pending(tests.id('trams'), array[tests.key()]);
select bag_eq(
  'select tests.pools()', array['trams (0,1,1,1,0)', 'bikes (0,1,0,0,0)', 'trams in elm (0,1,1,1,0)', 'trams in fir (0,0,0,1,0)'], 'each once'
);
select is_empty($$ select tests.who_may('select app.settle_pending(null, null)') $$, 'no role does so by itself');

rollback to empty;

-- settle_pending: ends 337 hours after the hour
select tests.elm();
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select set_config('tests.hour', date_trunc('hour', now(), 'UTC')::text, true);
create function pg_temp.at(p_since_the_hour interval)
returns void
language sql
as $$ select app.set_clock_offset(current_setting('tests.hour')::timestamptz + p_since_the_hour - now()) $$;

select tests.sealed_total(name, 'elm', row(1, 0, 0, 0, 0)) from unnest(array['trams', 'bikes']) as name;
select pg_temp.at('336 hours 59 minutes 59.999 seconds');
select is(app.pending_since() < current_setting('tests.hour')::timestamptz, true, 'until then it is pending');
select tests.placed('trams', 'elm', app.now(), 'shared', 'jonas');
select app.settle_pending(tests.id('trams'), array[tests.key()]);
select is(tests.counts('trams', 'elm'), '(1,0,0,0,0)', 'shared before, it counts');
select pg_temp.at('337 hours');
select tests.placed('bikes', 'elm', app.now(), 'shared', 'jonas');
select app.settle_pending(tests.id('bikes'), array[tests.key()]);
select is(tests.counts('bikes', 'elm'), null, 'shared then, it does not');
select is_empty('select from app.pending_totals', 'and never will');
select is(app.pending_since(), app.now() - interval '337 hours', 'to the hour in which it was cast');

rollback to empty;

-- settle_pending: ends for ballots as well
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['late', 'in time']) as name;
select tests.vote('jonas', 'late', 'left');
select app.set_clock_offset('1 hour');
select tests.vote('jonas', 'in time', 'left');
select app.fold_pools(app.slot_generation());
select app.set_clock_offset(date_trunc('hour', now(), 'UTC') + interval '337 hours' - now());
select tests.placed(name, 'elm', app.now(), 'shared', 'jonas') from unnest(array['late', 'in time']) as name;
select app.settle_pending(tests.id(name), array[tests.key()]) from unnest(array['late', 'in time']) as name;
select bag_eq(
  'select tests.pools()', array['late (0,1,0,0,0)', 'in time (0,1,0,0,0)', 'in time in elm (0,1,0,0,0)'], 'what no fold has seen until its deadline is not promoted after it'
);
select results_eq('select tests.pending()', array['in time in oak -336 h (0,1,0,0,0)'], 'or kept');
select is_empty('select from app.pending_ballots', 'but done with');

rollback to empty;

-- settle_pending: holds the post
select tests.elm();
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
create temporary table before as select id, xmax as held from app.posts;
-- It runs in a transaction of its own within that of the test, so that its lock can be told.
select lives_ok($$ select app.settle_pending(tests.id('trams'), array[tests.key()]) $$, 'it settles');
select results_eq('select id from app.posts join before using (id) where posts.xmax <> before.held', tests.ids('trams'), 'whoever shares the post waits');
select is((select xmax from app.posts where slider_text = 'bikes'), (select held from before where id = tests.id('bikes')), 'for no other');

rollback to empty;

-- settle_pending: opens what it has keys for
select tests.elm();
select tests.slider('trams', 'lena');
select tests.vote('jonas', 'trams', 'right', p_key => tests.key('old'));
select app.settle_pending(tests.id('trams'), array[tests.key('old')]);
select tests.vote('maya', 'trams', 'left', p_key => tests.key('old'));
select tests.vote('amara', 'trams', 'neutral', p_key => tests.key('lost'));
select app.settle_pending(tests.id('trams'), array[tests.key('new'), tests.key('old')]);
select bag_eq(
  $$ select tests.pending(tests.key('old')) $$, array['trams in elm now (0,0,0,1,0)', 'trams in elm now sealed'], 'ballots of a former key are sealed by the newest'
);
select bag_eq($$ select tests.pending(tests.key('new')) $$, array['trams in elm now (0,1,0,0,0)', 'trams in elm now sealed'], 'and totals stay as they are');
select results_eq($$ select tests.ballots(tests.key('lost')) $$, array['trams (0,0,1,0,0) for elm'], 'what no key opens waits');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select app.settle_pending(tests.id('trams'), array[tests.key('new')]);
select is(tests.counts('trams', 'elm'), '(0,1,0,0,0)', 'shared, each counts for which there is a key');
select app.settle_pending(tests.id('trams'), array[tests.key('lost'), tests.key('old')]);
select is(tests.counts('trams', 'elm'), '(0,1,1,1,0)', 'or once there is one');
select is_empty('select from app.pending_totals union all select from app.pending_ballots', 'so that nothing is left');

rollback to empty;

-- settle_pending: passes over what has gone
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.vote('jonas', name, 'right') from unnest(array['trams', 'bikes']) as name;
delete from app.hubs where id = tests.id('oak');
select app.settle_pending(tests.id('trams'), array[tests.key()]);
select results_eq('select tests.pending()', array['trams in elm now (0,0,0,1,0)'], 'a Hub that has gone gets nothing');
select tests.vote('maya', 'trams', 'left');
delete from app.posts where id = tests.id('bikes');
select app.settle_pending(tests.id('bikes'), '{}');
select is_empty($$ select from app.pending_ballots where post_id = tests.id('bikes') $$, 'of a post that has gone nothing is kept, whatever the key');
select results_eq('select tests.ballots()', array['trams (0,1,0,0,0) for elm'], 'those of other posts are');
delete from app.hubs where id = tests.id('elm');
select is_empty('select from app.pending_totals', 'totals go with their Hub');
select tests.hub('ash', 'jonas');
select tests.sealed_total('trams', 'ash', row(1, 0, 0, 0, 0));
delete from app.posts where id = tests.id('trams');
select is_empty('select from app.pending_totals', 'and with their post');

rollback to empty;

-- take_ballots: counts by hub and hour
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select app.store_ballot(tests.id('trams'), position, tests.ids('elm', 'oak'), tests.key())
from (values ('strong_left', 6), ('left', 2), ('neutral', 3), ('right', 4)) as cast_as (name, count)
cross join lateral (select name::app.vote_position as position from generate_series(1, count)) as vote;
select app.store_ballot(tests.id('trams'), 'strong_right', tests.ids('elm'), tests.key('new')) from generate_series(1, 5);
select app.store_ballot(tests.id('trams'), 'left', tests.ids('elm'), tests.key('lost'));
select app.store_ballot(tests.id('bikes'), 'left', tests.ids('elm'), tests.key());
select app.set_clock_offset('1 hour');
select app.store_ballot(tests.id('trams'), 'right', tests.ids('elm', 'oak'), tests.key());
select results_eq(
  $$
    select hub_id, extract(epoch from cast_hour - date_trunc('hour', now(), 'UTC'))::integer / 3600, counts::text
    from app.take_ballots(tests.id('trams'), array[tests.key('new'), tests.key()])
  $$,
  $$
    select tests.id(hub), hour, counts
    from (values ('elm', 0, '(6,2,3,4,5)'), ('oak', 0, '(6,2,3,4,0)'), ('elm', 1, '(0,0,0,1,0)'), ('oak', 1, '(0,0,0,1,0)')) as taken (hub, hour, counts)
    order by tests.id(hub), hour
  $$,
  'what all of them are for each Hub, by the hour in which they were cast, in an order for all'
);
select bag_eq(
  $$ select tests.ballots(tests.key(), tests.key('lost')) $$, array['trams (0,1,0,0,0) for elm', 'bikes (0,1,0,0,0) for elm'], 'those of other keys and of other posts stay'
);
select is_empty($$ select app.take_ballots(tests.id('trams'), array[tests.key()]) $$, 'each is taken once');
select is_empty($$ select app.take_ballots(tests.id('trams'), '{}') $$, 'without a key none');

select app.store_ballot(tests.id('trams'), 'left', tests.ids('elm'), tests.key()) from generate_series(1, 101);
select results_eq($$ select (counts).left_count from app.take_ballots(tests.id('trams'), array[tests.key()]) $$, array[100::bigint], '100 at a time');
select is_empty($$ select tests.who_may('select app.take_ballots(null, null)') $$, 'no role takes any by itself');

rollback to empty;

-- take_ballots: takes some of the long ones
select tests.elm();
select tests.slider('trams', 'maya');
create function pg_temp.sealed_to(p_size integer)
returns bytea
language plpgsql
as $$
declare
  v_ballot text := jsonb_build_object('counts', app.one_vote('left'), 'hubIds', tests.ids('elm'));
  v_length integer := p_size;
  v_sealed bytea;
begin
  loop
    v_sealed := app.seal(rpad(v_ballot, v_length), tests.key());
    exit when length(v_sealed) = p_size;
    v_length := v_length + p_size - length(v_sealed);
  end loop;
  return v_sealed;
end
$$;
create function pg_temp.taken(p_sizes integer[])
returns bigint
language sql
as $$
  delete from app.pending_ballots;
  insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
  select tests.id('trams'), date_trunc('hour', app.now(), 'UTC'), app.key_id(tests.key()), pg_temp.sealed_to(size) from unnest(p_sizes) as size;
  select (counts).left_count from app.take_ballots(tests.id('trams'), array[tests.key()])
$$;
select is(pg_temp.taken(array[32768, 32768, 32768, 32768]), 4::bigint, '128 KiB at a time');
select is_empty('select from app.pending_ballots', 'all of them');
select is(pg_temp.taken(array[32768, 32768, 32768, 32769]), 3::bigint, 'and not a byte more');
select is(count(*), 1::bigint, 'the other one waits') from app.pending_ballots;
select is(pg_temp.taken(array[131073, 131073]), 1::bigint, 'one in any case');
select is(count(*), 1::bigint, 'and no other beside it') from app.pending_ballots;
select is(pg_temp.taken(array[131072, 1024]), 1::bigint, 'what is not too long by itself either');
select is(count(*), 1::bigint, 'of two') from app.pending_ballots;

rollback to empty;

-- take_totals: takes what the keys open
select tests.elm();
select tests.hub('oak', 'lena');
select tests.hub('fir', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.sealed_total('trams', 'elm', row(1, 2, 3, 4, 5));
select tests.sealed_total('trams', 'elm', row(1, 0, 0, 0, 0), -1);
select tests.sealed_total('trams', 'elm', row(2, 0, 0, 0, 0), 0, tests.key('new'));
select tests.sealed_total('trams', 'oak', row(3, 0, 0, 0, 0));
select tests.sealed_total('trams', 'elm', row(4, 0, 0, 0, 0), 0, tests.key('lost'));
select tests.sealed_total('trams', 'fir', row(5, 0, 0, 0, 0));
select tests.sealed_total('bikes', 'elm', row(6, 0, 0, 0, 0));
select is_empty($$ select app.take_totals(tests.id('trams'), tests.ids('elm'), '{}') $$, 'without a key none');
select bag_eq(
  $$
    select hub_id, cast_hour, counts::text from app.take_totals(tests.id('trams'), tests.ids('elm', 'oak'), array[tests.key('new'), tests.key()])
  $$,
  $$
    select tests.id(hub), date_trunc('hour', app.now(), 'UTC') + hours * interval '1 hour', counts
    from (values ('elm', 0, '(1,2,3,4,5)'), ('elm', -1, '(1,0,0,0,0)'), ('elm', 0, '(2,0,0,0,0)'), ('oak', 0, '(3,0,0,0,0)')) as total (hub, hours, counts)
  $$,
  'of a post in these Hubs, each opened by its key'
);
select bag_eq(
  $$ select tests.pending(tests.key(), tests.key('lost')) $$,
  array['trams in elm now (4,0,0,0,0)', 'trams in fir now (5,0,0,0,0)', 'bikes in elm now (6,0,0,0,0)'], 'what other keys sealed, of other Hubs and posts, stays'
);
select is_empty($$ select app.take_totals(tests.id('trams'), tests.ids('elm', 'oak'), array[tests.key('new'), tests.key()]) $$, 'each is taken once');
select is_empty($$ select tests.who_may('select app.take_totals(null, null, null)') $$, 'no role takes any by itself');

select * from finish();
rollback;
