select plan(2);

select tests.elm();
select tests.slider('trams', 'lena');
select app.keep_ballot(tests.id('trams'), 'neutral', tests.ids('elm'), tests.key()) from generate_series(1, 501);
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select app.promote_pending(tests.id('trams'), array[tests.key()]);
select is(tests.counts('trams', 'elm'), '(0,0,501,0,0)', 'a share counts every ballot that waits');
select is_empty('select from app.pending_ballots', 'a share leaves no ballot that it could open');

select * from finish();
