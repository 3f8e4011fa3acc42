select plan(7);

create temporary table hits as
select hit
from (values ((3, 'łuk "quoted" \', tests.id('maya'))::app.search_hit), ((4, '0123456', tests.id('jonas'))::app.search_hit)) as given (hit);

select is(app.decode_hit(app.encode_hit(hit)), hit, 'decode_hit reads what encode_hit wrote') from hits;
select is(count(distinct app.encode_hit(hit)), 1::bigint, 'the same place has the same cursor') from hits cross join generate_series(1, 2) where (hit).tier = 3;
select ok(
  position('maya'::bytea in decode(rpad(v.base64, (char_length(v.base64) + 3) / 4 * 4, '='), 'base64')) = 0,
  'a cursor does not hold its sort key in the clear'
)
from translate(app.encode_hit((1, 'maya', tests.id('maya'))::app.search_hit), '-_', '+/') as v (base64);
select matches(
  app.encode_hit((2, repeat('ÿ', n), tests.id('maya'))::app.search_hit), '^[A-Za-z0-9_-]+$', 'a cursor goes into a URL as it is'
)
from generate_series(79, 80) as n;
select is(app.decode_hit(null), (1, '', '00000000-0000-0000-0000-000000000000')::app.search_hit, 'without a cursor the search begins at the top');

select * from finish();
