begin;
select plan(30);

-- Runs a call of an argument function with these arguments, and returns the code of its error.
create function pg_temp.refusal(p_call text, p_args text)
returns text
language sql
return tests.error_of(format('select app.' || p_call, p_args)) ->> 'code';

-- choice_argument reads one of several choices.
select results_eq(
  $$
    select app.choice_argument(given.args, 'sort', 'recent', 'trending')
    from (values ('{}'::jsonb), ('{"sort": null}'), ('{"sort": "recent"}'), ('{"sort": "trending"}')) as given (args)
  $$,
  $$ values (null), (null), ('recent'), ('trending') $$,
  'choice_argument returns a choice, and null for a missing argument'
);
select is_empty(
  $$
    select given.args
    from (values ('{"sort": ""}'), ('{"sort": "Recent"}'), ('{"sort": 1}'), ('{"sort": ["recent"]}')) as given (args)
    where pg_temp.refusal('choice_argument(%L, ''sort'', ''recent'', ''trending'')', given.args)
      is distinct from 'VALIDATION_FAILED'
  $$,
  'choice_argument refuses a value that is no choice'
);

-- has_visible_character distinguishes visible from invisible text (docs/product.md W24).
select is_empty(
  $$
    select given.text
    from (
      values ('a'), ('0'), ('-'), ('é'), ('中'), ('ع'), ('👍'), ('👨‍👩‍👧'), ('❤️'), ('1️⃣'), ('🏴󠁧󠁢󠁥󠁮󠁧󠁿'), (' a '),
        (U&'\200ba\200b'), (U&'\202ea')
    ) as given (text)
    where app.has_visible_character(given.text) is not true
  $$,
  'a text with a letter, a sign or an emoji is visible'
);
select is_empty(
  $$
    select to_hex(character.code)
    from (
      values (1), (8), (9), (10), (13), (31), (32), (127), (133), (159), (160), (173), (769), (847), (8413), (1564),
      (4447),
        (4448), (5760), (6068), (6069), (6155), (6158), (8192), (8203), (8207), (8232), (8233), (8234), (8238), (8239),
        (8287),
        (8288), (8294), (8297), (8303), (10240), (12288), (12644), (65024), (65039), (65279), (65440), (65520), (65531),
        (113824), (119155), (917505), (917631), (917760), (921599)
    ) as character (code)
    where app.has_visible_character(repeat(chr(character.code), 3)) is not false
  $$,
  'a text of spaces, controls, format characters, bare marks or blank letters is invisible'
);
select is(app.has_visible_character(''), false, 'an empty text is invisible');
select is(app.has_visible_character(null), null, 'has_visible_character returns null for null');

-- ids_argument reads distinct ids.
select is(
  app.ids_argument(
    '{"ids": ["01990000-0000-7000-8000-000000000002", "01990000-0000-7000-8000-000000000001"]}', 'ids', 1, 2
  ),
  '{01990000-0000-7000-8000-000000000002,01990000-0000-7000-8000-000000000001}'::uuid[],
  'ids_argument returns the ids in their given order'
);
select is_empty(
  $$
    select given.args
    from (
      values ('{}'), ('{"ids": []}'), ('{"ids": [null]}'), ('{"ids": ["no-uuid"]}'),
        ('{"ids": ["01990000-0000-7000-8000-00000000000a", "01990000-0000-7000-8000-00000000000A"]}'),
        (jsonb_build_object('ids', array(select app.uuid_v7() from generate_series(1, 3)))::text)
    ) as given (args)
    where pg_temp.refusal('ids_argument(%L, ''ids'', 1, 2)', given.args) is distinct from 'VALIDATION_FAILED'
  $$,
  'ids_argument refuses too few ids, too many, a repeated id and other values'
);

-- integer_argument reads a whole number within bounds.
select results_eq(
  $$
    select app.integer_argument(given.args, 'days', 1, 30)
    from (values ('{}'::jsonb), ('{"days": null}'), ('{"days": 1}'), ('{"days": 30.0}')) as given (args)
  $$,
  $$ values (null::integer), (null), (1), (30) $$,
  'integer_argument returns a whole number within bounds, and null for a missing argument'
);
select is_empty(
  $$
    select given.args
    from (
      values ('{"days": 0}'), ('{"days": -5}'), ('{"days": 31}'), ('{"days": 1e300}'), ('{"days": 1.5}'),
      ('{"days": "7"}')
    ) as given (args)
    where pg_temp.refusal('integer_argument(%L, ''days'', 1, 30)', given.args) is distinct from 'VALIDATION_FAILED'
  $$,
  'integer_argument refuses a number out of bounds, a fraction and any other type'
);

-- is_plain_name refuses control characters (docs/product.md W24).
select is_empty(
  $$
    select given.name
    from (values ('Amara'), ('Amara Okafor'), ('محمد'), ('👨‍👩‍👧 Elm Street'), (U&'\0645\200c\06cc')) as given (name)
    where app.is_plain_name(given.name) is not true
  $$,
  'a name of any script is plain, also with joiners and spaces'
);
select is_empty(
  $$
    select to_hex(character.code)
    from (
      select * from generate_series(1, 31) union all select * from generate_series(127, 159)
      union all select * from generate_series(8232, 8238) union all select * from generate_series(8294, 8297)
    ) as character (code)
    where app.is_plain_name('Ma' || chr(character.code) || 'ya') is not false
  $$,
  'a name with a control character or line end is not plain'
);

-- items_argument reads an array of bounded length.
select results_eq(
  $$
    select app.items_argument(given.args, 'items', 0, 2)
    from (values ('{}'::jsonb), ('{"items": null}'), ('{"items": [1, "a"]}')) as given (args)
  $$,
  $$ values ('[]'::jsonb), ('[]'), ('[1, "a"]') $$,
  'items_argument returns an array within bounds, and an empty one for a missing argument'
);
select is_empty(
  $$
    select given.args
    from (values ('{"items": [1, 2, 3]}'), ('{"items": {}}'), ('{"items": "a"}')) as given (args)
    where pg_temp.refusal('items_argument(%L, ''items'', 0, 2)', given.args) is distinct from 'VALIDATION_FAILED'
  $$,
  'items_argument refuses an array with too many items and any other type'
);

-- name_argument reads a plain name.
select is(app.name_argument('{"name": "Amara Okafor"}', 'name'), 'Amara Okafor', 'name_argument returns a plain name');
select is_empty(
  $$
    select given.args
    from (
      values ('{"name": "\u200b\u200b"}'), ('{"name": "Ma\nya"}'), ('{"name": "Ma\u202eya"}'), ('{"name": 1}')
    ) as given (args)
    where pg_temp.refusal('name_argument(%L, ''name'')', given.args) is distinct from 'VALIDATION_FAILED'
  $$,
  'name_argument refuses an invisible name, control characters and any other type'
);

-- page_size reads the limit of a page (docs/product.md W7).
select is(app.page_size(args, 20, 50), expected, title)
from (
  values
    ('{}'::jsonb, 20, 'page_size returns the default for a missing limit'),
    ('{"limit": null}', 20, 'page_size returns the default for a null limit'),
    ('{"limit": 1}', 1, 'page_size accepts a limit of one'),
    ('{"limit": 50}', 50, 'page_size accepts the maximum as a limit')
) as c (args, expected, title);
select throws_ok(format('select app.page_size(%L, 20, 50)', args), 'PT422', 'VALIDATION_FAILED', title)
from (
  values
    ('{"limit": 51}', 'page_size refuses a limit above the maximum'),
    ('{"limit": 0}', 'page_size refuses a limit of zero'),
    ('{"limit": -1}', 'page_size refuses a negative limit')
) as c (args, title);

-- require_any_argument requires one of several arguments.
select lives_ok(
  $$ select app.require_any_argument('{"bio": null}', 'name', 'bio') $$, 'require_any_argument accepts a null argument'
);
select throws_ok(
  $$ select app.require_any_argument('{"other": 1}', 'name', 'bio') $$, 'PT422', 'VALIDATION_FAILED',
  'require_any_argument refuses arguments without any of the names'
);

-- require_arguments requires all of several arguments.
select lives_ok(
  $$ select app.require_arguments('{"a": false, "b": ""}', 'a', 'b') $$,
  'require_arguments accepts false and empty values'
);
select results_eq(
  $$
    select tests.error_of(
      format('select app.require_arguments(%L, ''a'', ''b'')', given.args)
    ) #> '{details,issues,0,path}'
    from (values ('{"a": 1}'), ('{"a": null, "b": 1}'), ('{}')) as given (args)
  $$,
  $$ values ('["b"]'::jsonb), ('["a"]'), ('["a"]') $$,
  'require_arguments names the first argument that is missing or null'
);

-- text_argument reads a text of bounded length (docs/product.md W25).
select results_eq(
  $$
    select app.text_argument(given.args, 'q', 1, 3)
    from (values ('{}'::jsonb), ('{"q": null}'), ('{"q": "a"}'), ('{"q": "👍👍👍"}')) as given (args)
  $$,
  $$ values (null::text), (null), ('a'), ('👍👍👍') $$,
  'text_argument returns a text within bounds, and null for a missing argument'
);
select results_eq(
  $$
    select
      given.args,
      tests.error_of(format('select app.text_argument(%L, ''q'', 1, 3)', given.args)) #> '{details,issues,0,code}'
    from (
      values ('{"q": ""}'), ('{"q": "abcd"}'), ('{"q": "\u200b"}'), ('{"q": 1}'), ('{"q": ["a"]}'),
      ('{"q": "\u200b\u200b"}')
    ) as given (args)
  $$,
  $$
    values ('{"q": ""}', '"too_small"'::jsonb), ('{"q": "abcd"}', '"too_big"'), ('{"q": "\u200b"}', '"invisible"'),
      ('{"q": 1}', '"invalid_type"'), ('{"q": ["a"]}', '"invalid_type"'), ('{"q": "\u200b\u200b"}', '"invisible"')
  $$,
  'text_argument refuses a text out of bounds, an invisible one and any other type'
);
select is(
  tests.error_of(
    $$ select app.text_argument('{"title": 1}', 'title', p_within => 'article') $$
  ) #> '{details,issues,0,path}',
  '["article", "title"]',
  'the path of a refusal names the object around the text'
);

select * from finish();
rollback;
