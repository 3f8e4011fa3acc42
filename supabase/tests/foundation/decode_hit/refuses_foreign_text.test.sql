select plan(8);

create function pg_temp.cursor(p_text text)
returns text
language sql
return translate(encode(convert_to(p_text, 'UTF8'), 'base64'), E'+/=\n', '-_');

select is(
  tests.error_of(format('select app.decode_hit(%L)', given.cursor)) #>> '{details,issues,0,code}', 'invalid_cursor', given.about
)
from (values
  ('!', 'no base64'),
  (pg_temp.cursor('hello'), 'no JSON'),
  (pg_temp.cursor('{}'), 'no list'),
  (pg_temp.cursor('[1, "maya"]'), 'too short a list'),
  (pg_temp.cursor(format('[5, "maya", "%s"]', tests.id('maya'))), 'no tier'),
  (pg_temp.cursor('[1, "maya", "maya"]'), 'no id'),
  (app.encode_cursor(now(), tests.id('maya')), 'the cursor of another list')
) as given (cursor, about);
select is(
  tests.error_of($$ select app.decode_hit('!') $$) - 'details', '{"state": "PT422", "code": "VALIDATION_FAILED"}', 'each as a bad argument'
);

select * from finish();
