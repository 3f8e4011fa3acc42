select plan(6);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select app.keep_ballot(tests.id('trams'), position, tests.ids('elm', 'oak'), tests.key())
from (values ('strong_left', 6), ('left', 2), ('neutral', 3), ('right', 4)) as cast_as (name, count)
cross join lateral (select name::app.vote_position as position from generate_series(1, count)) as vote;
select app.keep_ballot(tests.id('trams'), 'strong_right', tests.ids('elm'), tests.key('new')) from generate_series(1, 5);
select app.keep_ballot(tests.id('trams'), 'left', tests.ids('elm'), tests.key('lost'));
select app.keep_ballot(tests.id('bikes'), 'left', tests.ids('elm'), tests.key());
select app.set_clock_offset('1 hour');
select app.keep_ballot(tests.id('trams'), 'right', tests.ids('elm', 'oak'), tests.key());
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

select app.keep_ballot(tests.id('trams'), 'left', tests.ids('elm'), tests.key()) from generate_series(1, 101);
select results_eq($$ select (counts).left_count from app.take_ballots(tests.id('trams'), array[tests.key()]) $$, array[100::bigint], '100 at a time');
select is_empty($$ select tests.who_may('select app.take_ballots(null, null)') $$, 'no role takes any by itself');

select * from finish();
