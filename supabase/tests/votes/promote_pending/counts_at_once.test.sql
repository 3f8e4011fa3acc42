select plan(7);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.vote('jonas', name, 'right') from unnest(array['trams', 'bikes']) as name;
select tests.fold();
select tests.vote('maya', 'trams', 'left');
select app.keep_ballot(tests.id('trams'), 'neutral', tests.ids('elm'), tests.key()) from generate_series(1, 499);
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
create temporary table before as select tests.pending() as pending;
select tests.act_as('lena');
select app.promote_pending(tests.id('trams'), array[tests.key('guessed')]), app.promote_pending(tests.id('trams'), '{}');
reset role;
select is(tests.counts('trams', 'elm'), null, 'who has none of the keys promotes nothing');
select bag_eq('select tests.pending()', 'select pending from before', 'and takes nothing away');
select is(count(*), 500::bigint, 'no ballot either') from app.pending_ballots;
select tests.act_as('lena');
select app.promote_pending(tests.id('trams'), array[tests.key()]);
reset role;
select is(tests.counts('trams', 'elm'), '(0,1,499,1,0)', 'totals and ballots count');
select bag_eq(
  'select tests.pending()', array['trams in oak now (0,0,0,1,0)', 'bikes in elm now (0,0,0,1,0)', 'bikes in oak now (0,0,0,1,0)'],
  'those of other Hubs and posts wait'
);
select app.keep_ballot(tests.id('trams'), 'neutral', tests.ids('elm'), tests.key('another'));
select lives_ok($$ select app.promote_pending(tests.id('trams'), array[tests.key()]) $$, 'what another key sealed is not waited for');
select set_eq($$ select tests.who_may('select app.promote_pending(null, null)') $$, array['authenticated'], 'for who shares');

select * from finish();
