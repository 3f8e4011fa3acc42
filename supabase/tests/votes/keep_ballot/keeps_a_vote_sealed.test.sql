select plan(5);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
-- Where hours of the wall clock begin at half past.
set local timezone = 'Asia/Kolkata';
select app.keep_ballot(tests.id('trams'), 'strong_right', tests.ids('elm', 'oak'), tests.key());
select results_eq(
  'select post_id, cast_hour, key_id from app.pending_ballots',
  $$ values (tests.id('trams'), date_trunc('hour', app.now(), 'UTC'), app.key_id(tests.key())) $$, 'one row, of its hour, known by its key'
);
select results_eq('select tests.ballots()', array['trams (0,0,0,0,1) for elm, oak'], 'that says what, and for which Hubs');
select results_eq($$ select tests.ballots(tests.key('another')) $$, array['trams for whom it does not say'], 'to who has the key');
select is_empty(
  $$ select column_name from information_schema.columns where table_schema = 'app' and table_name = 'pending_ballots' and column_name ~ 'user' $$, 'and to nobody who'
);
select is_empty($$ select tests.who_may('select app.keep_ballot(null, null, null, null)') $$, 'no role keeps one without a vote');

select * from finish();
