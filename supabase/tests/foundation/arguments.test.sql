begin;
select plan(30);
savepoint empty;

-- choice_argument: reads one of the choices
select results_eq(
  $$
    select app.choice_argument(given.args, 'sort', 'recent', 'trending')
    from (values ('{}'::jsonb), ('{"sort": null}'), ('{"sort": "recent"}'), ('{"sort": "trending"}')) as given (args)
  $$,
  $$ values (null), (null), ('recent'), ('trending') $$,
  'choice_argument returns a choice, and null for one that is missing'
);
select is_empty(
  $$
    select given.args
    from (values ('{"sort": ""}'), ('{"sort": "Recent"}'), ('{"sort": 1}'), ('{"sort": ["recent"]}')) as given (args)
    where tests.error_of(format('select app.choice_argument(%L, ''sort'', ''recent'', ''trending'')', given.args)) ->> 'code'
      is distinct from 'VALIDATION_FAILED'
  $$,
  'choice_argument refuses what is no choice'
);

rollback to empty;

-- has_visible_character: tells visible from invisible
select is_empty(
  $$
    select given.text
    from (values ('a'), ('0'), ('-'), ('é'), ('中'), ('ع'), ('👍'), ('👨‍👩‍👧'), ('❤️'), ('1️⃣'), ('🏴󠁧󠁢󠁥󠁮󠁧󠁿'), (' a '), (U&'\200ba\200b'), (U&'\202ea')) as given (text)
    where app.has_visible_character(given.text) is not true
  $$,
  'a letter, a sign and an emoji are visible, whatever stands around them'
);
select is_empty(
  $$
    select to_hex(character.code)
    from (
      values (1), (8), (9), (10), (13), (31), (32), (127), (133), (159), (160), (173), (769), (847), (8413), (1564), (4447), (4448), (5760), (6068),
        (6069), (6155), (6158), (8192), (8203), (8207), (8232), (8233), (8234), (8238), (8239), (8287), (8288), (8294), (8297), (8303),
        (10240), (12288), (12644), (65024), (65039), (65279), (65440), (65520), (65531), (113824), (119155), (917505), (917631),
        (917760), (921599)
    ) as character (code)
    where app.has_visible_character(repeat(chr(character.code), 3)) is not false
  $$,
  'white space, controls, format characters, bare marks and blank letters are invisible'
);
select is(app.has_visible_character(''), false, 'an empty text is invisible');
select is(app.has_visible_character(null), null, 'no text is neither');

rollback to empty;

-- ids_argument: reads distinct ids
select is(
  app.ids_argument('{"ids": ["01990000-0000-7000-8000-000000000002", "01990000-0000-7000-8000-000000000001"]}', 'ids', 1, 2),
  '{01990000-0000-7000-8000-000000000002,01990000-0000-7000-8000-000000000001}'::uuid[],
  'ids_argument returns the ids in their order'
);
select is_empty(
  $$
    select given.args
    from (
      values ('{}'), ('{"ids": []}'), ('{"ids": [null]}'), ('{"ids": ["no-uuid"]}'),
        ('{"ids": ["01990000-0000-7000-8000-00000000000a", "01990000-0000-7000-8000-00000000000A"]}'),
        (jsonb_build_object('ids', array(select app.uuid_v7() from generate_series(1, 3)))::text)
    ) as given (args)
    where tests.error_of(format('select app.ids_argument(%L, ''ids'', 1, 2)', given.args)) ->> 'code' is distinct from 'VALIDATION_FAILED'
  $$,
  'ids_argument refuses too few, too many, the same id twice and what is no id'
);

rollback to empty;

-- integer_argument: reads a whole number within bounds
select results_eq(
  $$
    select app.integer_argument(given.args, 'days', 1, 30)
    from (values ('{}'::jsonb), ('{"days": null}'), ('{"days": 1}'), ('{"days": 30.0}')) as given (args)
  $$,
  $$ values (null::integer), (null), (1), (30) $$,
  'integer_argument returns a whole number from 1 to 30, and null for one that is missing'
);
select is_empty(
  $$
    select given.args
    from (values ('{"days": 0}'), ('{"days": -5}'), ('{"days": 31}'), ('{"days": 1e300}'), ('{"days": 1.5}'), ('{"days": "7"}')) as given (args)
    where tests.error_of(format('select app.integer_argument(%L, ''days'', 1, 30)', given.args)) ->> 'code' is distinct from 'VALIDATION_FAILED'
  $$,
  'integer_argument refuses a number out of bounds, a fraction and any other type'
);

rollback to empty;

-- is_plain_name: refuses controls
select is_empty(
  $$
    select given.name
    from (values ('Amara'), ('Amara Okafor'), ('محمد'), ('👨‍👩‍👧 Elm Street'), (U&'\0645\200c\06cc')) as given (name)
    where app.is_plain_name(given.name) is not true
  $$,
  'a name of any script is plain, with joiners and spaces in it'
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
  'a name with a control character, a line end or a direction control is not plain'
);

rollback to empty;

-- items_argument: counts the items first
select results_eq(
  $$
    select app.items_argument(given.args, 'items', 0, 2)
    from (values ('{}'::jsonb), ('{"items": null}'), ('{"items": [1, "a"]}')) as given (args)
  $$,
  $$ values ('[]'::jsonb), ('[]'), ('[1, "a"]') $$,
  'items_argument returns an array of up to 2 items, and an empty one for one that is missing'
);
select is_empty(
  $$
    select given.args
    from (values ('{"items": [1, 2, 3]}'), ('{"items": {}}'), ('{"items": "a"}')) as given (args)
    where tests.error_of(format('select app.items_argument(%L, ''items'', 0, 2)', given.args)) ->> 'code' is distinct from 'VALIDATION_FAILED'
  $$,
  'items_argument refuses an array of 3 items and any other type'
);

rollback to empty;

-- name_argument: refuses a name that is not plain
select is(app.name_argument('{"name": "Amara Okafor"}', 'name'), 'Amara Okafor', 'name_argument returns a plain name');
select is_empty(
  $$
    select given.args
    from (values ('{"name": "\u200b\u200b"}'), ('{"name": "Ma\nya"}'), ('{"name": "Ma\u202eya"}'), ('{"name": 1}')) as given (args)
    where tests.error_of(format('select app.name_argument(%L, ''name'')', given.args)) ->> 'code' is distinct from 'VALIDATION_FAILED'
  $$,
  'name_argument refuses an invisible name, a line end, a direction control and any other type'
);

rollback to empty;

-- page_size: is within bounds
select is(app.page_size('{}', 20, 50), 20, 'without a limit a page has the list''s usual size');
select is(app.page_size('{"limit": null}', 20, 50), 20, 'nothing is no limit');
select is(app.page_size('{"limit": 1}', 20, 50), 1, 'a page may have one item');
select is(app.page_size('{"limit": 50}', 20, 50), 50, 'and as many as the list allows');
select throws_ok($$ select app.page_size('{"limit": 51}', 20, 50) $$, 'PT422', 'VALIDATION_FAILED', 'but no more');
select throws_ok($$ select app.page_size('{"limit": 0}', 20, 50) $$, 'PT422', 'VALIDATION_FAILED', 'not none');
select throws_ok($$ select app.page_size('{"limit": -1}', 20, 50) $$, 'PT422', 'VALIDATION_FAILED', 'and not less than none');

rollback to empty;

-- require_any_argument: refuses none of them
select lives_ok($$ select app.require_any_argument('{"bio": null}', 'name', 'bio') $$, 'require_any_argument takes one argument, even null');
select throws_ok(
  $$ select app.require_any_argument('{"other": 1}', 'name', 'bio') $$, 'PT422', 'VALIDATION_FAILED',
  'require_any_argument refuses arguments none of which it names'
);

rollback to empty;

-- require_arguments: refuses what is missing
select lives_ok($$ select app.require_arguments('{"a": false, "b": ""}', 'a', 'b') $$, 'require_arguments takes any value');
select results_eq(
  $$
    select tests.error_of(format('select app.require_arguments(%L, ''a'', ''b'')', given.args)) #> '{details,issues,0,path}'
    from (values ('{"a": 1}'), ('{"a": null, "b": 1}'), ('{}')) as given (args)
  $$,
  $$ values ('["b"]'::jsonb), ('["a"]'), ('["a"]') $$,
  'require_arguments names the first argument that is missing or null'
);

rollback to empty;

-- text_argument: reads a text within bounds
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
rollback;
