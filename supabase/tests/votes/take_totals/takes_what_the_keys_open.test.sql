select plan(5);

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
