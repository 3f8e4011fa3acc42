select plan(3);

select tests.elm();
select tests.slider('trams', 'lena');
select app.keep_ballot(tests.id('trams'), 'neutral', tests.ids('elm'), tests.key()) from generate_series(1, 501);
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select app.promote_pending(tests.id('trams'), array[tests.key()]);
select is(tests.counts('trams', 'elm'), '(0,0,500,0,0)', 'who shares waits for five hundred ballots');
select is(count(*), 1::bigint, 'and for no more') from app.pending_ballots;
select tests.fold();
select is(tests.counts('trams', 'elm'), '(0,0,501,0,0)', 'which the fold counts');

select * from finish();
