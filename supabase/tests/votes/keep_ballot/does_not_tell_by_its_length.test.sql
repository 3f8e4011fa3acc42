select plan(1);

select tests.elm();
select tests.slider('trams', 'maya');
select app.keep_ballot(tests.id('trams'), position, tests.ids('elm'), tests.key()) from unnest(enum_range(null::app.vote_position)) as position;
select is(count(distinct octet_length(sealed)), 1::bigint, 'whichever position is sealed, it is as long') from app.pending_ballots;

select * from finish();
