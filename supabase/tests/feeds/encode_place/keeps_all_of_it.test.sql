select plan(5);

create table pg_temp.places (place app.feed_place);
insert into pg_temp.places
values
  (('2026-01-01 00:00:00.123456Z', tests.id('trams'), '2026-01-02 00:00:00.654321Z', '10:20:12,15', 'recent', left(md5('home'), 8))::app.feed_place),
  (('1970-01-01Z', '00000000-0000-0000-0000-000000000000', '1970-01-01Z', '1:1:', 'active', left(md5('home'), 8))::app.feed_place),
  (('2200-12-31 23:59:59.999999Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '2200-12-31 23:59:59.999999Z', '4294967300:9223372036854775806:4294967307', 'quiet', left(md5('home'), 8))::app.feed_place);
select is(app.decode_place(app.encode_place(place), 'home', case (place).part when 'recent' then 'recent' else 'trending' end)::text, place::text, place::text) from pg_temp.places;
select is_empty('select from pg_temp.places where app.encode_place(place) !~ ''^[A-Za-z0-9._-]+$''', 'in letters that stand in an address');
select set_eq($$ select tests.who_may('select app.encode_place(null)') $$, array['anon', 'authenticated'], 'whoever reads feeds');

select * from finish();
