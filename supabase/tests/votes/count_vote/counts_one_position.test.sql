select plan(5);

select tests.person(position::text, 2) from unnest(enum_range(null::app.vote_position)) as position;
select tests.slider('trams', 'left');

create function pg_temp.totals()
returns app.position_counts
language sql
return app.pool_totals(tests.id('trams'));

select tests.vote('strong_left', 'trams', 'strong_left');
select is(pg_temp.totals(), row(1, 0, 0, 0, 0)::app.position_counts, 'strong left');
select tests.vote('left', 'trams', 'left');
select is(pg_temp.totals(), row(1, 1, 0, 0, 0)::app.position_counts, 'left');
select tests.vote('neutral', 'trams', 'neutral');
select is(pg_temp.totals(), row(1, 1, 1, 0, 0)::app.position_counts, 'neutral');
select tests.vote('right', 'trams', 'right');
select is(pg_temp.totals(), row(1, 1, 1, 1, 0)::app.position_counts, 'right');
select tests.vote('strong_right', 'trams', 'strong_right');
select is(pg_temp.totals(), row(1, 1, 1, 1, 1)::app.position_counts, 'strong right');

select * from finish();
