select plan(3);

create function pg_temp.entries(p_count integer)
returns app.list_entry[]
language sql
return array(select (app.now() + n * interval '1 hour', tests.id(n::text))::app.list_entry from generate_series(1, p_count) as n);

select is(
  app.next_cursor(pg_temp.entries(3), 2), app.encode_cursor(app.now() + interval '2 hours', tests.id('2')), 'of which there is one more'
);
select is(app.next_cursor(pg_temp.entries(2), 2), null, 'where there is no more there is none');
select is(app.next_cursor('{}', 2), null, 'nor where there is nothing');

select * from finish();
