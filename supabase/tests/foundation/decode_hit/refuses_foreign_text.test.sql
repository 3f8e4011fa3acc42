select plan(8);

create function pg_temp.cursor(p_bytes bytea)
returns text
language sql
return translate(encode(p_bytes, 'base64'), E'+/=\n', '-_');

select is(
  tests.error_of(format('select app.decode_hit(%L)', given.cursor)) #>> '{details,issues,0,code}', 'invalid_cursor', given.about
)
from (values
  ('!', 'no base64 is refused'),
  ('', 'an empty cursor is refused'),
  (pg_temp.cursor(repeat('x', 16)::bytea), 'a cursor without content is refused'),
  (pg_temp.cursor(repeat('x', 48)::bytea), 'a cursor encrypted by nobody is refused'),
  (pg_temp.cursor(format('[1, "maya", "%s"]', tests.id('maya'))::bytea), 'a cursor in the clear is refused'),
  (overlay(app.encode_hit((1, 'maya', tests.id('maya'))::app.search_hit) placing '____' from 30), 'a changed cursor is refused'),
  (app.encode_cursor(now(), tests.id('maya')), 'the cursor of another list is refused')
) as given (cursor, about);
select is(
  tests.error_of($$ select app.decode_hit('!') $$) - 'details', '{"state": "PT422", "code": "VALIDATION_FAILED"}', 'a refused cursor is a bad argument'
);

select * from finish();
