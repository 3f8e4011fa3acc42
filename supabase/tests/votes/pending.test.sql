begin;
select plan(42);
savepoint empty;

-- add_to_pending adds votes to the sealed total of an hour.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.add_pending_total('trams', 'elm', row(1, 2, 3, 4, 5));
select tests.add_pending_total('trams', 'elm', row(10, 20, 30, 40, 50));
select tests.add_pending_total('trams', 'elm', row(1, 0, 0, 0, 0), -1);
select tests.add_pending_total('trams', 'oak', row(2, 0, 0, 0, 0));
select tests.add_pending_total('bikes', 'elm', row(3, 0, 0, 0, 0));
select tests.add_pending_total('trams', 'elm', row(4, 0, 0, 0, 0), 0, tests.vote_key('new'));
select tests.add_pending_total('trams', 'elm', row(5, 0, 0, 0, 0), 0, tests.vote_key('new'));
select tests.add_pending_total('bikes', 'oak', row(999999999, 999999999, 999999999, 999999999, 999999999));
select bag_eq(
  'select tests.pending_totals(tests.vote_key(), tests.vote_key(''new''))',
  array[
    'trams in elm now (11,22,33,44,55)', 'trams in elm -1 h (1,0,0,0,0)', 'trams in oak now (2,0,0,0,0)',
    'bikes in elm now (3,0,0,0,0)', 'trams in elm now (9,0,0,0,0)',
    'bikes in oak now (999999999,999999999,999999999,999999999,999999999)'
  ],
  'add_to_pending adds each position to one total for each post, Hub, hour and key'
);
select bag_eq(
  'select tests.pending_totals(tests.vote_key(''new''))',
  array[
    'trams in elm now sealed', 'trams in elm -1 h sealed', 'trams in oak now sealed', 'bikes in elm now sealed',
    'bikes in oak now sealed', 'trams in elm now (9,0,0,0,0)'
  ],
  'a key opens only the totals that it sealed'
);
select is(count(distinct octet_length(sealed)), 1::bigint, 'sealed totals of few and many votes have the same length')
from app.pending_totals;

rollback to empty;

-- key_id identifies a key by its hash.
select is(
  app.key_ids(array['secret', 'other']), array[substr(sha256('secret'), 1, 8), substr(sha256('other'), 1, 8)],
  'key_ids returns the first eight bytes of each key''s SHA-256, in order'
);

rollback to empty;

-- promote_pending counts pending votes at once in the Hubs that have the post.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.vote('jonas', name, 'right') from unnest(array['trams', 'bikes']) as name;
select tests.fold();
select tests.vote('maya', 'trams', 'left');
select app.insert_ballot(tests.id('trams'), 'neutral', tests.ids('elm'), tests.vote_key()) from generate_series(1, 500);
select app.insert_ballot(tests.id('trams'), 'neutral', tests.ids('elm'), tests.vote_key('another'));
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
create temporary table before as
select sealed from app.pending_totals union all select sealed from app.pending_ballots;
select tests.authenticate_as('lena');
select app.promote_pending(tests.id('trams'), array[tests.vote_key('guessed')]),
  app.promote_pending(tests.id('trams'), '{}');
reset role;
select is(tests.vote_counts('trams', 'elm'), null, 'promote_pending counts nothing without the sealing key');
select bag_eq(
  'select sealed from app.pending_totals union all select sealed from app.pending_ballots', 'table before',
  'promote_pending keeps all totals and ballots without the sealing key'
);
select tests.authenticate_as('lena');
select app.promote_pending(tests.id('trams'), array[tests.vote_key()]);
reset role;
select is(
  tests.vote_counts('trams', 'elm'), '(0,1,500,1,0)',
  'promote_pending counts totals and hundreds of ballots of the shared post'
);
select bag_eq(
  'select tests.pending_totals() union all select tests.pending_ballots()',
  array[
    'trams in oak now (0,0,0,1,0)', 'bikes in elm now (0,0,0,1,0)', 'bikes in oak now (0,0,0,1,0)',
    'trams for unknown Hubs'
  ],
  'promote_pending keeps the totals of other Hubs and posts, and ballots of another key'
);

rollback to empty;

-- prune_pending_totals deletes pending votes after their deadline (docs/product.md V7).
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

create function pg_temp.kept()
returns setof text
language sql
as $$
  select format('%s: %s', kind, p.slider_text)
  from (
    select 'total', post_id from app.pending_totals union select 'ballot', post_id from app.pending_ballots
    union all select 'promotion', post_id from app.promotions union all select 'receipt', post_id from app.vote_receipts
  ) as row (kind, post_id)
  join app.posts as p on p.id = row.post_id
$$;

select pg_temp.prune_at('336 hours 59 minutes 59.999 seconds');
select bag_eq(
  'select pg_temp.kept()',
  array[
    'total: trams', 'total: bikes', 'total: boats', 'ballot: trams', 'promotion: bikes', 'receipt: trams',
    'receipt: trams'
  ],
  'before 337 hours prune_pending_totals deletes only promotions whose Hub has no pending votes'
);
select pg_temp.prune_at('337 hours');
select bag_eq(
  'select pg_temp.kept()',
  array['total: bikes', 'total: boats', 'promotion: bikes', 'receipt: trams', 'receipt: trams'],
  'after 337 hours prune_pending_totals deletes totals and ballots, and keeps receipts'
);

rollback to empty;

-- prune_pending_totals deletes in batches, so that no run exceeds the statement timeout.
select tests.elm();
select tests.slider('trams', 'lena');
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
select tests.id('trams'), tests.id('elm'), date_trunc('hour', app.now(), 'UTC') - (337 + n) * interval '1 hour', '', ''
from generate_series(1, 20001) as n;
create function pg_temp.prune(p_new_ballots integer)
returns text
language plpgsql
as $$
declare
  v_is_full boolean;
begin
  insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
  select tests.id('trams'), date_trunc('hour', app.now(), 'UTC') - interval '337 hours', '', ''
  from generate_series(1, p_new_ballots);
  v_is_full := app.prune_pending_totals();
  return format(
    '%s: %s totals, %s ballots left', v_is_full, (select count(*) from app.pending_totals),
    (select count(*) from app.pending_ballots)
  );
end
$$;
select is(pg_temp.prune(new_ballots), expected, title)
from (
  values
    (2, 't: 1 totals, 0 ballots left', 'prune_pending_totals deletes 20,000 totals in a run, and ballots beside them'),
    (19999, 'f: 0 totals, 0 ballots left', 'prune_pending_totals returns false after its last batch'),
    (20002, 't: 0 totals, 2 ballots left', 'prune_pending_totals deletes 20,000 ballots in a run')
) as c (new_ballots, expected, title);

rollback to empty;

-- seal encrypts a text that unseal opens by its key alone.
create temporary table sealed as
select app.seal('{"position": "left"}', tests.vote_key()) as one,
  app.seal('{"position": "left"}', tests.vote_key()) as again;
select is(app.unseal(one, app.key_id(tests.vote_key()), keys), expected::jsonb, title)
from sealed
cross join (
  values
    (array[tests.vote_key()], '{"position": "left"}', 'unseal opens a sealed text by its key'),
    (array[tests.vote_key('new'), tests.vote_key()], '{"position": "left"}', 'unseal finds the key among several keys'),
    (array[tests.vote_key('new')], null, 'unseal returns null for another key'),
    ('{}', null, 'unseal returns null without a key')
) as c (keys, expected, title);
create function pg_temp.opened(p_sealed bytea, p_key text)
returns jsonb
language sql
return tests.error_of(format('select app.unseal(%L, %L, array[%L])', p_sealed, app.key_id(p_key), p_key)) -> 'state';
select is(
  pg_temp.opened(one, tests.vote_key('new')), '"39000"', 'unseal fails for the id and key of another seal'
) from sealed;
select is(
  pg_temp.opened(set_byte(one, octet_length(one) - 5, get_byte(one, octet_length(one) - 5) # 1), tests.vote_key()),
  '"39000"',
  'unseal fails for a changed ciphertext'
)
from sealed;
select isnt(one, again, 'seal makes another ciphertext of the same text each time') from sealed;
select matches(
  pg_get_functiondef('app.seal(text, text)'::regprocedure), 'cipher-algo=aes256', 'seal encrypts a text with AES-256'
);

rollback to empty;

-- settle_pending turns ballots into totals, and totals of a post's Hubs into counts.
select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['oak', 'fir']) as name;
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', 'trams', 'right'), tests.vote('maya', 'trams', 'left'), tests.vote('maya', 'bikes', 'left');
create function pg_temp.settled()
returns setof text
language plpgsql
as $$
begin
  delete from app.vote_slots;
  perform app.settle_pending(tests.id('trams'), array[tests.vote_key()]);
  return query
    select tests.pending_totals() union all select tests.pending_ballots() union all select tests.all_vote_counts();
end
$$;
select bag_eq(
  'select pg_temp.settled()',
  array[
    'trams in elm now (0,1,0,1,0)', 'trams in oak now (0,0,0,1,0)', 'trams in fir now (0,0,0,1,0)',
    'bikes (0,1,0,0,0) for elm'
  ],
  'settle_pending turns ballots into totals of their Hub and hour, and counts nothing in Hubs without the post'
);
select tests.vote('amara', 'trams', 'neutral');
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.placement('trams', 'fir', p_kind => 'shared', p_by => 'jonas');
select tests.placement('boats', 'oak', p_kind => 'shared', p_by => 'jonas');
select bag_eq(
  'select pg_temp.settled()',
  array[
    'trams in oak now (0,0,0,1,0)', 'bikes (0,1,0,0,0) for elm', 'trams in elm (0,1,1,1,0)', 'trams in fir (0,0,0,1,0)'
  ],
  title
)
from unnest(array[
  'settle_pending counts totals and ballots in each Hub that has the post, and keeps other totals',
  'a second settle_pending counts no vote twice'
]) as title;

rollback to empty;

-- settle_pending counts votes until 337 hours after their hour (docs/product.md V7).
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats', 'cars']) as name;
create function pg_temp.at(p_since_the_hour interval)
returns void
language sql
as $$ select app.set_clock_offset(date_trunc('hour', now(), 'UTC') + p_since_the_hour - now()) $$;
create function pg_temp.share(variadic p_posts text[])
returns setof text
language sql
as $$
  select tests.placement(name, 'elm', app.now(), 'shared', 'jonas') from unnest(p_posts) as name;
  select app.settle_pending(tests.id(name), array[tests.vote_key()]) from unnest(p_posts) as name;
  select c from tests.all_vote_counts() as c where split_part(c, ' in ', 1) = any (p_posts)
  union all select tests.pending_totals() union all select tests.pending_ballots()
$$;

select tests.add_pending_total(name, 'elm', row(1, 0, 0, 0, 0)) from unnest(array['trams', 'bikes']) as name;
select tests.vote('jonas', 'boats', 'left');
select app.set_clock_offset('1 hour');
select tests.vote('jonas', 'cars', 'left');
select pg_temp.at('336 hours 59 minutes 59.999 seconds');
select bag_eq(
  $$ select pg_temp.share('trams') $$,
  array[
    'trams in elm (1,0,0,0,0)', 'bikes in elm -336 h (1,0,0,0,0)', 'boats (0,1,0,0,0) for elm, oak',
    'cars (0,1,0,0,0) for elm, oak'
  ],
  'a share before the deadline counts pending votes'
);
select pg_temp.at('337 hours');
select bag_eq(
  $$ select pg_temp.share('bikes', 'boats', 'cars') $$,
  array['cars in elm (0,1,0,0,0)', 'cars in oak -336 h (0,1,0,0,0)'],
  'a share at the deadline drops expired totals and ballots, and counts a ballot of the next hour'
);

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
  $$ select tests.pending_totals(tests.vote_key(name)) from unnest(array['old', 'new']) as name $$,
  array[
    'trams in elm now (0,0,0,1,0)', 'trams in elm now sealed', 'trams in elm now (0,1,0,0,0)', 'trams in elm now sealed'
  ],
  'settle_pending keeps the total of an old key, and seals a ballot of an old key by the newest key'
);
select results_eq(
  $$ select tests.pending_ballots(tests.vote_key('lost')) $$, array['trams (0,0,1,0,0) for elm'],
  'settle_pending leaves a ballot that its keys do not open'
);
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select app.settle_pending(tests.id('trams'), array[tests.vote_key('new')]);
select is(
  tests.vote_counts('trams', 'elm'), '(0,1,0,0,0)',
  'settle_pending counts only the totals of a shared post that its key opens'
);
select app.settle_pending(tests.id('trams'), array[tests.vote_key('lost'), tests.vote_key('old')]);
select is(
  tests.vote_counts('trams', 'elm'), '(0,1,1,1,0)',
  'settle_pending counts the rest of a shared post with the other keys'
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
select tests.vote('maya', 'trams', 'left');
delete from app.posts where id = tests.id('bikes');
select app.settle_pending(tests.id('bikes'), '{}');
select bag_eq(
  'select tests.pending_totals() union all select tests.pending_ballots()',
  array['trams in elm now (0,0,0,1,0)', 'trams (0,1,0,0,0) for elm'], 'settle_pending makes no total for a deleted Hub'
);
select is(
  count(*), 1::bigint, 'settle_pending deletes the ballots of a deleted post without a key'
) from app.pending_ballots;

rollback to empty;

-- take_ballots deletes ballots and returns their votes by Hub and hour.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select app.insert_ballot(tests.id('trams'), position, tests.ids('elm', 'oak'), tests.vote_key())
from (
  values ('strong_left'::app.vote_position, 6), ('left', 2), ('neutral', 3), ('right', 4)
) as cast_as (position, count)
cross join lateral generate_series(1, count);
select app.insert_ballot(tests.id('trams'), 'strong_right', tests.ids('elm'), tests.vote_key('new'))
from generate_series(1, 5);
select app.insert_ballot(tests.id('trams'), 'left', tests.ids('elm'), tests.vote_key('lost'));
select app.insert_ballot(tests.id('bikes'), 'left', tests.ids('elm'), tests.vote_key());
select app.set_clock_offset('1 hour');
select app.insert_ballot(tests.id('trams'), 'right', tests.ids('elm', 'oak'), tests.vote_key());
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
select app.insert_ballot(tests.id('trams'), 'left', tests.ids('elm'), tests.vote_key()) from generate_series(1, 101);
select results_eq(
  $$ select (counts).left_count from app.take_ballots(tests.id('trams'), array[tests.vote_key()]) $$,
  array[100::bigint],
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
select bag_eq(
  $$
    select hub_id, cast_hour, counts::text
    from app.take_totals(tests.id('trams'), tests.ids('elm', 'oak'), array[tests.vote_key('new'), tests.vote_key()])
  $$,
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
  'take_totals takes each total once, and leaves totals of other keys, Hubs and posts'
);

select * from finish();
rollback;
