select plan(5);

select is(app.decode_hit(app.encode_hit(hit)), hit, 'whoever was last on a page')
from (values ((3, 'łuk "quoted" \', tests.id('maya'))::app.search_hit), ((4, '0123456', tests.id('jonas'))::app.search_hit)) as given (hit);
select matches(
  app.encode_hit((2, repeat('ÿ', n), tests.id('maya'))::app.search_hit), '^[A-Za-z0-9_-]+$', 'a cursor goes into a URL as it is'
)
from generate_series(79, 80) as n;
select is(app.decode_hit(null), (1, '', '00000000-0000-0000-0000-000000000000')::app.search_hit, 'without one it begins at the top');

select * from finish();
