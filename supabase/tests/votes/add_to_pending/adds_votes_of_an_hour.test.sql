select plan(6);

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

select * from finish();
