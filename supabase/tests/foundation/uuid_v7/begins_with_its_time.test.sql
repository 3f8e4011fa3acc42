select plan(1);

create temporary table moments (id uuid, earliest timestamptz not null, latest timestamptz);
insert into moments (earliest) values (clock_timestamp());
update moments set id = app.uuid_v7();
update moments set latest = clock_timestamp();

select ok(
  ('x' || left(translate(id::text, '-', ''), 12))::bit(48)::bigint
    between floor(extract(epoch from earliest) * 1000) and extract(epoch from latest) * 1000,
  'the first 48 bits are the milliseconds since the epoch, so that ids sort by time'
)
from moments;

select * from finish();
