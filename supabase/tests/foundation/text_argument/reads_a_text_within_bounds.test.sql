select plan(3);

select results_eq(
  $$
    select app.text_argument(given.args, 'q', 1, 3)
    from (values ('{}'::jsonb), ('{"q": null}'), ('{"q": "a"}'), ('{"q": "👍👍👍"}')) as given (args)
  $$,
  $$ values (null::text), (null), ('a'), ('👍👍👍') $$,
  'text_argument returns a text of 1 to 3 characters, and null for one that is missing'
);
select results_eq(
  $$
    select given.args, tests.error_of(format('select app.text_argument(%L, ''q'', 1, 3)', given.args)) #> '{details,issues,0,code}'
    from (values ('{"q": ""}'), ('{"q": "abcd"}'), ('{"q": "\u200b"}'), ('{"q": 1}'), ('{"q": ["a"]}')) as given (args)
  $$,
  $$
    values ('{"q": ""}', '"too_small"'::jsonb), ('{"q": "abcd"}', '"too_big"'), ('{"q": "\u200b"}', '"invisible"'),
      ('{"q": 1}', '"invalid_type"'), ('{"q": ["a"]}', '"invalid_type"')
  $$,
  'text_argument refuses a text out of bounds, an invisible one and any other type'
);
select is(
  tests.error_of($$ select app.text_argument('{"title": 1}', 'title', p_within => 'article') $$) #> '{details,issues,0,path}',
  '["article", "title"]',
  'the path of a refusal names the argument that holds the text'
);

select * from finish();
