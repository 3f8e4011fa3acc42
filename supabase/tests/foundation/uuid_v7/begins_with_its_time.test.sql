select plan(1);

create temporary table moments (id uuid, earliest timestamptz not null, latest timestamptz);
insert into moments (earliest) values (clock_timestamp());
update moments set id = app.uuid_v7();
update moments set latest = clock_timestamp();

create function pg_temp.microseconds(p_id uuid)
returns bigint
language sql
as $$
  select ('x' || left(hex, 12))::bit(48)::bigint * 1000 + ceil(('x' || substr(hex, 14, 3))::bit(12)::int * 1000 / 4096.0)::bigint
  from translate(p_id::text, '-', '') as hex
$$;
create function pg_temp.microseconds(p_moment timestamptz)
returns bigint
language sql
as $$ select (extract(epoch from p_moment) * 1000000)::bigint $$;

select ok(
  pg_temp.microseconds(id) between pg_temp.microseconds(earliest) and pg_temp.microseconds(latest),
  'an id begins with its milliseconds since the epoch and their fraction, so that ids sort by time'
)
from moments;

select * from finish();
