select plan(5);

select tests.person(position::text, 2) from unnest(enum_range(null::app.vote_position)) as position;
select tests.slider('trams', 'left');

create function pg_temp.totals()
returns text
language sql
return tests.counts('trams');

select tests.vote('strong_left', 'trams', 'strong_left');
select is(pg_temp.totals(), '(1,0,0,0,0)', 'strong left');
select tests.vote('left', 'trams', 'left');
select is(pg_temp.totals(), '(1,1,0,0,0)', 'left');
select tests.vote('neutral', 'trams', 'neutral');
select is(pg_temp.totals(), '(1,1,1,0,0)', 'neutral');
select tests.vote('right', 'trams', 'right');
select is(pg_temp.totals(), '(1,1,1,1,0)', 'right');
select tests.vote('strong_right', 'trams', 'strong_right');
select is(pg_temp.totals(), '(1,1,1,1,1)', 'strong right');

select * from finish();
