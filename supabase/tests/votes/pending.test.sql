begin;
select plan(76);
savepoint empty;

-- add_to_pending adds votes to the sealed total of an hour.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.add_pending_total('trams', 'elm', row(1, 2, 3, 4, 5));
select results_eq(
  'select tests.pending_totals()', array['trams in elm now (1,2,3,4,5)'], 'add_to_pending seals a first total by its key'
);
select tests.add_pending_total('trams', 'elm', row(10, 20, 30, 40, 50));
select results_eq(
  'select tests.pending_totals()', array['trams in elm now (11,22,33,44,55)'],
  'add_to_pending adds each position to the total of the hour'
);
select tests.add_pending_total('trams', 'elm', row(1, 0, 0, 0, 0), -1);
select tests.add_pending_total('trams', 'oak', row(2, 0, 0, 0, 0));
select tests.add_pending_total('bikes', 'elm', row(3, 0, 0, 0, 0));
select tests.add_pending_total('trams', 'elm', row(4, 0, 0, 0, 0), 0, tests.vote_key('new'));
select tests.add_pending_total('trams', 'elm', row(5, 0, 0, 0, 0), 0, tests.vote_key('new'));
select bag_eq(
  'select tests.pending_totals(tests.vote_key(), tests.vote_key(''new''))',
  array[
    'trams in elm now (11,22,33,44,55)', 'trams in elm -1 h (1,0,0,0,0)', 'trams in oak now (2,0,0,0,0)',
    'bikes in elm now (3,0,0,0,0)', 'trams in elm now (9,0,0,0,0)'
  ],
  'add_to_pending keeps one total for each post, Hub, hour and key'
);
select bag_eq(
  'select tests.pending_totals(tests.vote_key(''new''))',
  array[
    'trams in elm now sealed', 'trams in elm -1 h sealed', 'trams in oak now sealed', 'bikes in elm now sealed',
    'trams in elm now (9,0,0,0,0)'
  ],
  'a key opens only the totals that it sealed'
);
select tests.add_pending_total('bikes', 'oak', row(999999999, 999999999, 999999999, 999999999, 999999999));
select is(count(distinct octet_length(sealed)), 1::bigint, 'sealed totals of few and many votes have the same length')
from app.pending_totals;

rollback to empty;

-- key_id identifies a key by its hash.
select is(app.key_id('secret'), substr(sha256('secret'), 1, 8), 'key_id is the first eight bytes of the key''s SHA-256');
select is(
  app.key_ids(array['secret', 'other']), array[app.key_id('secret'), app.key_id('other')], 'key_ids keeps the order of its keys'
);
select is(app.key_ids('{}'), '{}', 'key_ids of no keys is empty');

rollback to empty;

-- promote_pending counts pending votes at once in the Hubs that have the post.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', name, 'right') from unnest(array['trams', 'bikes']) as name;
select tests.fold();
select tests.vote('maya', 'trams', 'left');
select app.store_ballot(tests.id('trams'), 'neutral', tests.ids('elm'), tests.vote_key()) from generate_series(1, 499);
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
create temporary table before as select tests.pending_totals() as pending;
select tests.authenticate_as('lena');
select app.promote_pending(tests.id('trams'), array[tests.vote_key('guessed')]), app.promote_pending(tests.id('trams'), '{}');
reset role;
select is(tests.vote_counts('trams', 'elm'), null, 'promote_pending counts nothing without the sealing key');
select bag_eq(
  'select tests.pending_totals()', 'select pending from before', 'promote_pending keeps all totals without the sealing key'
);
select is(count(*), 500::bigint, 'promote_pending keeps all ballots without the sealing key') from app.pending_ballots;
select tests.authenticate_as('lena');
select app.promote_pending(tests.id('trams'), array[tests.vote_key()]);
reset role;
select is(tests.vote_counts('trams', 'elm'), '(0,1,499,1,0)', 'promote_pending counts totals and ballots of the shared post');
select bag_eq(
  'select tests.pending_totals()',
  array['trams in oak now (0,0,0,1,0)', 'bikes in elm now (0,0,0,1,0)', 'bikes in oak now (0,0,0,1,0)'],
  'promote_pending keeps the totals of other Hubs and posts'
);
select app.store_ballot(tests.id('trams'), 'neutral', tests.ids('elm'), tests.vote_key('another'));
select lives_ok(
  $$ select app.promote_pending(tests.id('trams'), array[tests.vote_key()]) $$,
  'promote_pending ends while a ballot of another key is left'
);
select app.store_ballot(tests.id('boats'), 'neutral', tests.ids('elm'), tests.vote_key()) from generate_series(1, 501);
select tests.placement('boats', 'elm', p_kind => 'shared', p_by => 'jonas');
select app.promote_pending(tests.id('boats'), array[tests.vote_key()]);
select is(tests.vote_counts('boats', 'elm'), '(0,0,501,0,0)', 'promote_pending counts several hundred ballots at once');
select is_empty(
  $$ select from app.pending_ballots where post_id = tests.id('boats') $$, 'promote_pending leaves no ballot that its keys open'
);

rollback to empty;

-- prune_pending_totals deletes pending votes after their deadline.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', 'trams', 'right');
select tests.fold();
select tests.vote('maya', 'trams', 'left');
select
  tests.add_pending_total('bikes', 'elm', row(1, 0, 0, 0, 0), 1),
  tests.add_pending_total('boats', 'oak', row(1, 0, 0, 0, 0), 1);
select tests.placement('boats', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.placement('bikes', 'elm', p_kind => 'shared', p_by => 'jonas');
select set_config('tests.hour', date_trunc('hour', now(), 'UTC')::text, true);
create function pg_temp.prune_at(p_since_the_hour interval)
returns void
language sql
as $$
  select app.set_clock_offset(current_setting('tests.hour')::timestamptz + p_since_the_hour - now());
  select app.prune_pending_totals()
$$;

select pg_temp.prune_at('336 hours 59 minutes 59.999 seconds');
select set_eq(
  'select post_id from app.pending_totals', tests.ids('trams', 'bikes', 'boats'),
  'prune_pending_totals keeps totals before 337 hours'
);
select isnt_empty('select from app.pending_ballots', 'prune_pending_totals keeps ballots before 337 hours');
select results_eq(
  'select post_id from app.promotions', tests.ids('bikes'),
  'prune_pending_totals keeps the promotions whose Hub has pending votes alone'
);
select pg_temp.prune_at('337 hours');
select set_eq(
  'select post_id from app.pending_totals', tests.ids('bikes', 'boats'), 'prune_pending_totals deletes totals after 337 hours'
);
select is_empty('select from app.pending_ballots', 'prune_pending_totals deletes ballots after 337 hours');
select isnt_empty('select from app.vote_receipts', 'prune_pending_totals keeps receipts after 337 hours');

rollback to empty;

-- prune_pending_totals deletes in batches, so that no run exceeds the statement timeout.
select tests.elm();
select tests.slider('trams', 'lena');
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
select tests.id('trams'), tests.id('elm'), date_trunc('hour', app.now(), 'UTC') - (337 + n) * interval '1 hour', '', ''
from generate_series(1, 20001) as n;
create function pg_temp.expired_ballots(p_count integer)
returns void
language sql
as $$
  insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
  select tests.id('trams'), date_trunc('hour', app.now(), 'UTC') - interval '337 hours', '', '' from generate_series(1, p_count)
$$;
select pg_temp.expired_ballots(2);
select ok(app.prune_pending_totals(), 'prune_pending_totals returns true after a full batch of totals');
select is(count(*), 1::bigint, 'prune_pending_totals deletes 20,000 totals in a run') from app.pending_totals;
select is_empty('select from app.pending_ballots', 'prune_pending_totals deletes ballots beside a full batch of totals');
select pg_temp.expired_ballots(19999);
select ok(not app.prune_pending_totals(), 'prune_pending_totals returns false after its last batch');
select is_empty('select from app.pending_totals', 'prune_pending_totals deletes the last total in its last batch');
select is_empty('select from app.pending_ballots', 'prune_pending_totals deletes the last ballots in its last batch');
select pg_temp.expired_ballots(20002);
select ok(app.prune_pending_totals(), 'prune_pending_totals returns true after a full batch of ballots');
select is(count(*), 2::bigint, 'prune_pending_totals deletes 20,000 ballots in a run') from app.pending_ballots;

rollback to empty;

-- seal encrypts a text that unseal opens by its key alone.
create temporary table sealed as
select app.seal('{"position": "left"}', tests.vote_key()) as one, app.seal('{"position": "left"}', tests.vote_key()) as again;
select is(app.unseal(one, app.key_id(tests.vote_key()), keys), expected::jsonb, title)
from sealed
cross join (
  values
    (array[tests.vote_key()], '{"position": "left"}', 'unseal opens a sealed text by its key'),
    (array[tests.vote_key('new'), tests.vote_key()], '{"position": "left"}', 'unseal finds the key among several keys'),
    (array[tests.vote_key('new')], null, 'unseal returns null for another key'),
    ('{}', null, 'unseal returns null without a key')
) as c (keys, expected, title);
select throws_ok(
  $$ select app.unseal(one, app.key_id(tests.vote_key('new')), array[tests.vote_key('new')]) from sealed $$, '39000', null,
  'unseal fails for the id and key of another seal'
);
select throws_ok(
  $$
    select app.unseal(
      set_byte(one, octet_length(one) - 5, get_byte(one, octet_length(one) - 5) # 1), app.key_id(tests.vote_key()),
      array[tests.vote_key()]
    )
    from sealed
  $$,
  '39000', null, 'unseal fails for a changed ciphertext'
);
select isnt(one, again, 'seal makes another ciphertext of the same text each time') from sealed;
select matches(pg_get_functiondef('app.seal(text, text)'::regprocedure), 'cipher-algo=aes256', 'seal encrypts a text with AES-256');

rollback to empty;

-- settle_pending turns ballots into totals, and totals of a post's Hubs into counts.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', 'trams', 'right');
select tests.vote('maya', 'trams', 'left');
select tests.vote('maya', 'bikes', 'left');
select app.fold_pools(app.slot_generation());
select app.settle_pending(tests.id('trams'), array[tests.vote_key()]);
select bag_eq(
  'select tests.pending_totals()',
  array['trams in elm now (0,1,0,1,0)', 'trams in oak now (0,0,0,1,0)', 'trams in fir now (0,0,0,1,0)'],
  'settle_pending turns ballots into totals of their Hub and hour'
);
select results_eq(
  'select tests.pending_ballots()', array['bikes (0,1,0,0,0) for elm'], 'settle_pending leaves the ballots of other posts'
);
select bag_eq(
  'select tests.all_vote_counts()', array['trams (0,1,0,1,0)', 'bikes (0,1,0,0,0)'],
  'settle_pending counts nothing in a Hub without the post'
);

select tests.vote('amara', 'trams', 'neutral');
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.placement('trams', 'fir', p_kind => 'shared', p_by => 'jonas');
select tests.placement('boats', 'oak', p_kind => 'shared', p_by => 'jonas');
select app.fold_pools(app.slot_generation());
select app.settle_pending(tests.id('trams'), array[tests.vote_key()]);
select bag_eq(
  'select tests.all_vote_counts()',
  array['trams (0,1,1,1,0)', 'bikes (0,1,0,0,0)', 'trams in elm (0,1,1,1,0)', 'trams in fir (0,0,0,1,0)'],
  'settle_pending counts totals and ballots in each Hub that has the post'
);
select results_eq(
  'select tests.pending_totals()', array['trams in oak now (0,0,0,1,0)'],
  'settle_pending keeps only the totals of Hubs without the post'
);
select app.settle_pending(tests.id('trams'), array[tests.vote_key()]);
select bag_eq(
  'select tests.all_vote_counts()',
  array['trams (0,1,1,1,0)', 'bikes (0,1,0,0,0)', 'trams in elm (0,1,1,1,0)', 'trams in fir (0,0,0,1,0)'],
  'a second settle_pending counts no vote twice'
);

rollback to empty;

-- settle_pending counts totals until 337 hours after their hour.
select tests.elm();
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select set_config('tests.hour', date_trunc('hour', now(), 'UTC')::text, true);
create function pg_temp.at(p_since_the_hour interval)
returns void
language sql
as $$ select app.set_clock_offset(current_setting('tests.hour')::timestamptz + p_since_the_hour - now()) $$;

select tests.add_pending_total(name, 'elm', row(1, 0, 0, 0, 0)) from unnest(array['trams', 'bikes']) as name;
select pg_temp.at('336 hours 59 minutes 59.999 seconds');
select ok(
  app.pending_since() < current_setting('tests.hour')::timestamptz, 'votes of an hour are pending until 337 hours after the hour'
);
select tests.placement('trams', 'elm', app.now(), 'shared', 'jonas');
select app.settle_pending(tests.id('trams'), array[tests.vote_key()]);
select is(tests.vote_counts('trams', 'elm'), '(1,0,0,0,0)', 'a share before the deadline counts pending votes');
select pg_temp.at('337 hours');
select tests.placement('bikes', 'elm', app.now(), 'shared', 'jonas');
select app.settle_pending(tests.id('bikes'), array[tests.vote_key()]);
select is(tests.vote_counts('bikes', 'elm'), null, 'a share at the deadline does not count pending votes');
select is_empty('select from app.pending_totals', 'settle_pending deletes the expired totals of a share');
select is(app.pending_since(), app.now() - interval '337 hours', 'pending_since is 337 hours ago');

rollback to empty;

-- settle_pending drops ballots after their deadline.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['late', 'in time']) as name;
select tests.vote('jonas', 'late', 'left');
select app.set_clock_offset('1 hour');
select tests.vote('jonas', 'in time', 'left');
select app.fold_pools(app.slot_generation());
select app.set_clock_offset(date_trunc('hour', now(), 'UTC') + interval '337 hours' - now());
select tests.placement(name, 'elm', app.now(), 'shared', 'jonas') from unnest(array['late', 'in time']) as name;
select app.settle_pending(tests.id(name), array[tests.vote_key()]) from unnest(array['late', 'in time']) as name;
select bag_eq(
  'select tests.all_vote_counts()', array['late (0,1,0,0,0)', 'in time (0,1,0,0,0)', 'in time in elm (0,1,0,0,0)'],
  'settle_pending does not count an expired ballot in the Hub of a share'
);
select results_eq(
  'select tests.pending_totals()', array['in time in oak -336 h (0,1,0,0,0)'],
  'settle_pending turns no expired ballot into a total'
);
select is_empty('select from app.pending_ballots', 'settle_pending deletes expired ballots of a share');

rollback to empty;

-- settle_pending opens what its keys have sealed.
select tests.elm();
select tests.slider('trams', 'lena');
select tests.vote('jonas', 'trams', 'right', p_key => tests.vote_key('old'));
select app.settle_pending(tests.id('trams'), array[tests.vote_key('old')]);
select tests.vote('maya', 'trams', 'left', p_key => tests.vote_key('old'));
select tests.vote('amara', 'trams', 'neutral', p_key => tests.vote_key('lost'));
select app.settle_pending(tests.id('trams'), array[tests.vote_key('new'), tests.vote_key('old')]);
select bag_eq(
  $$ select tests.pending_totals(tests.vote_key('old')) $$, array['trams in elm now (0,0,0,1,0)', 'trams in elm now sealed'],
  'settle_pending does not reseal a total of an old key'
);
select bag_eq(
  $$ select tests.pending_totals(tests.vote_key('new')) $$, array['trams in elm now (0,1,0,0,0)', 'trams in elm now sealed'],
  'settle_pending seals a ballot of an old key by the newest key'
);
select results_eq(
  $$ select tests.pending_ballots(tests.vote_key('lost')) $$, array['trams (0,0,1,0,0) for elm'],
  'settle_pending leaves a ballot that its keys do not open'
);
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select app.settle_pending(tests.id('trams'), array[tests.vote_key('new')]);
select is(
  tests.vote_counts('trams', 'elm'), '(0,1,0,0,0)', 'settle_pending counts only the totals of a shared post that its key opens'
);
select app.settle_pending(tests.id('trams'), array[tests.vote_key('lost'), tests.vote_key('old')]);
select is(
  tests.vote_counts('trams', 'elm'), '(0,1,1,1,0)', 'settle_pending counts the rest of a shared post with the other keys'
);
select is_empty(
  'select from app.pending_totals union all select from app.pending_ballots',
  'settle_pending with all keys leaves nothing pending'
);

rollback to empty;

-- settle_pending drops votes of deleted posts and Hubs.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.vote('jonas', name, 'right') from unnest(array['trams', 'bikes']) as name;
delete from app.hubs where id = tests.id('oak');
select app.settle_pending(tests.id('trams'), array[tests.vote_key()]);
select results_eq(
  'select tests.pending_totals()', array['trams in elm now (0,0,0,1,0)'], 'settle_pending makes no total for a deleted Hub'
);
select tests.vote('maya', 'trams', 'left');
delete from app.posts where id = tests.id('bikes');
select app.settle_pending(tests.id('bikes'), '{}');
select is_empty(
  $$ select from app.pending_ballots where post_id = tests.id('bikes') $$,
  'settle_pending deletes the ballots of a deleted post without a key'
);
select results_eq(
  'select tests.pending_ballots()', array['trams (0,1,0,0,0) for elm'],
  'settle_pending of a deleted post leaves the ballots of other posts'
);
delete from app.hubs where id = tests.id('elm');
select is_empty('select from app.pending_totals', 'deleting a Hub deletes its pending totals');
select tests.hub('ash', 'jonas');
select tests.add_pending_total('trams', 'ash', row(1, 0, 0, 0, 0));
delete from app.posts where id = tests.id('trams');
select is_empty('select from app.pending_totals', 'deleting a post deletes its pending totals');

rollback to empty;

-- take_ballots deletes ballots and returns their votes by Hub and hour.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select app.store_ballot(tests.id('trams'), position, tests.ids('elm', 'oak'), tests.vote_key())
from (
  values ('strong_left'::app.vote_position, 6), ('left', 2), ('neutral', 3), ('right', 4)
) as cast_as (position, count)
cross join lateral generate_series(1, count);
select app.store_ballot(tests.id('trams'), 'strong_right', tests.ids('elm'), tests.vote_key('new')) from generate_series(1, 5);
select app.store_ballot(tests.id('trams'), 'left', tests.ids('elm'), tests.vote_key('lost'));
select app.store_ballot(tests.id('bikes'), 'left', tests.ids('elm'), tests.vote_key());
select app.set_clock_offset('1 hour');
select app.store_ballot(tests.id('trams'), 'right', tests.ids('elm', 'oak'), tests.vote_key());
select results_eq(
  $$
    select hub_id, extract(epoch from cast_hour - date_trunc('hour', now(), 'UTC'))::integer / 3600, counts::text
    from app.take_ballots(tests.id('trams'), array[tests.vote_key('new'), tests.vote_key()])
  $$,
  $$
    select tests.id(hub), hour, counts
    from (
      values ('elm', 0, '(6,2,3,4,5)'), ('oak', 0, '(6,2,3,4,0)'), ('elm', 1, '(0,0,0,1,0)'), ('oak', 1, '(0,0,0,1,0)')
    ) as taken (hub, hour, counts)
    order by tests.id(hub), hour
  $$,
  'take_ballots returns the votes of each Hub and hour, in order'
);
select bag_eq(
  $$ select tests.pending_ballots(tests.vote_key(), tests.vote_key('lost')) $$,
  array['trams (0,1,0,0,0) for elm', 'bikes (0,1,0,0,0) for elm'], 'take_ballots leaves ballots of other keys and posts'
);
select is_empty($$ select app.take_ballots(tests.id('trams'), array[tests.vote_key()]) $$, 'take_ballots takes each ballot once');
select is_empty($$ select app.take_ballots(tests.id('trams'), '{}') $$, 'take_ballots takes nothing without a key');

select app.store_ballot(tests.id('trams'), 'left', tests.ids('elm'), tests.vote_key()) from generate_series(1, 101);
select results_eq(
  $$ select (counts).left_count from app.take_ballots(tests.id('trams'), array[tests.vote_key()]) $$, array[100::bigint],
  'take_ballots takes at most 100 ballots in a batch'
);

rollback to empty;

-- take_ballots takes at most 128 KiB of ballots in a batch.
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
    v_sealed := app.seal(rpad(v_ballot, v_length), tests.vote_key());
    exit when length(v_sealed) = p_size;
    v_length := v_length + p_size - length(v_sealed);
  end loop;
  return v_sealed;
end
$$;
create function pg_temp.taken_and_left(p_sizes integer[])
returns bigint[]
language plpgsql
as $$
declare
  v_taken bigint;
begin
  delete from app.pending_ballots;
  insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
  select tests.id('trams'), date_trunc('hour', app.now(), 'UTC'), app.key_id(tests.vote_key()), pg_temp.sealed_to(size)
  from unnest(p_sizes) as size;
  select (counts).left_count into v_taken from app.take_ballots(tests.id('trams'), array[tests.vote_key()]);
  return array[v_taken, (select count(*) from app.pending_ballots)];
end
$$;
select is(pg_temp.taken_and_left(sizes), expected, title)
from (
  values
    (array[32768, 32768, 32768, 32768], '{4,0}'::bigint[], 'take_ballots takes four ballots of 128 KiB together'),
    (array[32768, 32768, 32768, 32769], '{3,1}', 'take_ballots leaves the ballot that would exceed 128 KiB'),
    (array[131073, 131073], '{1,1}', 'take_ballots takes one ballot even above 128 KiB'),
    (array[131072, 1024], '{1,1}', 'take_ballots takes one ballot of 128 KiB and leaves the next')
) as c (sizes, expected, title);

rollback to empty;

-- take_totals deletes and returns totals that its keys open.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.hub('fir', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.add_pending_total('trams', 'elm', row(1, 2, 3, 4, 5));
select tests.add_pending_total('trams', 'elm', row(1, 0, 0, 0, 0), -1);
select tests.add_pending_total('trams', 'elm', row(2, 0, 0, 0, 0), 0, tests.vote_key('new'));
select tests.add_pending_total('trams', 'oak', row(3, 0, 0, 0, 0));
select tests.add_pending_total('trams', 'elm', row(4, 0, 0, 0, 0), 0, tests.vote_key('lost'));
select tests.add_pending_total('trams', 'fir', row(5, 0, 0, 0, 0));
select tests.add_pending_total('bikes', 'elm', row(6, 0, 0, 0, 0));
prepare totals as
select hub_id, cast_hour, counts::text
from app.take_totals(tests.id('trams'), tests.ids('elm', 'oak'), array[tests.vote_key('new'), tests.vote_key()]);
select is_empty(
  $$ select app.take_totals(tests.id('trams'), tests.ids('elm'), '{}') $$, 'take_totals takes nothing without a key'
);
select bag_eq(
  'totals',
  $$
    select tests.id(hub), date_trunc('hour', app.now(), 'UTC') + hours * interval '1 hour', counts
    from (
      values ('elm', 0, '(1,2,3,4,5)'), ('elm', -1, '(1,0,0,0,0)'), ('elm', 0, '(2,0,0,0,0)'), ('oak', 0, '(3,0,0,0,0)')
    ) as total (hub, hours, counts)
  $$,
  'take_totals returns the totals of a post in the given Hubs, opened by each key'
);
select bag_eq(
  $$ select tests.pending_totals(tests.vote_key(), tests.vote_key('lost')) $$,
  array['trams in elm now (4,0,0,0,0)', 'trams in fir now (5,0,0,0,0)', 'bikes in elm now (6,0,0,0,0)'],
  'take_totals leaves totals of other keys, Hubs and posts'
);
select is_empty('totals', 'take_totals takes each total once');
deallocate totals;

select * from finish();
rollback;
