begin;
select plan(45);
-- Queries without words raise notices.
set local client_min_messages = warning;
savepoint empty;

-- search_posts finds the words of a post, whatever their case and accents (docs/product.md PO24).
select tests.person('maya', 3);
create temporary table posts as
select tests.value_as(
  'maya', format('api.create_post(%L)', jsonb_build_object('visibility', 'public') || fields)
) ->> 'id' as id, name
from (
  values
    ('thought', '{"thoughtText": "Crème brûlée first, garlic later"}'::jsonb),
    ('slider', '{"sliderText": "Garlic first?"}'),
    (
      'article',
      '{"article": {"title": "The tram of Köln", "text": "It runs at night, and tram drivers sleep by day."}}'
    ),
    ('labels', '{"sliderText": "Which one?", "slider": {"leftLabel": "Leek", "rightLabel": "Onion"}}'),
    ('link', '{"article": {"url": "https://leek.example/leek", "title": "A link"}}')
) as p (name, fields);
grant select on posts to public;

create function pg_temp.found(p_query text, p_args jsonb default '{}')
returns text[]
language sql
return array(
  select p.name
  from jsonb_array_elements(
    api.search_posts(jsonb_build_object('q', p_query) || p_args)::jsonb -> 'items'
  ) with ordinality as i (item, place)
  join posts as p on p.id = i.item ->> 'id'
  order by i.place
);

select tests.authenticate_as_guest();
select is(pg_temp.found(q), expected::text[], title)
from (
  values
    ('garlic', '{slider,thought}', 'a search finds thoughts and slider texts, newest first'),
    ('TRAM', '{article}', 'a search finds titles and texts of articles'),
    ('creme BRULEE', '{thought}', 'a search disregards case and accents of posts'),
    ('kölN', '{article}', 'a search disregards case and accents of the query'),
    ('night garlic', '{}', 'a search wants every word'),
    ('night or garlic', '{article,slider,thought}', 'a search for one word or another finds both'),
    ('garlic -brulee', '{slider}', 'a search leaves out posts with a word after a minus'),
    ('"garlic first"', '{slider}', 'a search for a phrase wants its words in this order'),
    ('garli', '{}', 'a search does not find parts of words'),
    ('leek', '{}', 'a search finds neither labels nor URLs'),
    ('?!', '{}', 'a search for punctuation finds nothing'),
    ('"', '{}', 'a search for an open quote finds nothing'),
    ('-garlic', '{link,labels,article}', 'a search for a minus alone finds the other posts')
) as c (q, expected, title);
select is(
  api.search_posts('{"q": "tram"}')::jsonb #> '{items,0}',
  (app.seen_cards(array[(select id::uuid from posts where name = 'article')]))[1]::jsonb,
  'a search answers cards'
);
reset role;
select is(tests.refusal_as('maya', format('select api.search_posts(%L)', args)), 'PT422 VALIDATION_FAILED', title)
from (
  values
    ('{}'::jsonb, 'a search needs q'),
    ('{"q": ""}', 'a search refuses an empty q'),
    (jsonb_build_object('q', repeat('a', 81)), 'a search refuses 81 characters'),
    ('{"q": "garlic", "limit": 51}', 'a search refuses a page of 51'),
    ('{"q": "garlic", "cursor": "garlic"}', 'a search refuses a cursor that it has not made'),
    (
      jsonb_build_object(
        'q', 'garlic', 'cursor',
        app.seal_cursor(
          app.list_of('search_users', '{"q": "garlic"}', p_is_shared => true),
          '[1, "maya", "01900000-0000-7000-8000-0000000000b1"]'
        )
      ),
      'a search refuses a cursor of another search'
    )
) as c (args, title);
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok(
  $$ select api.search_posts('{"q": "garlic"}') $$, 'PT401', 'UNAUTHORIZED', 'a search refuses an ended session'
);

rollback to empty;

-- search_posts pages through everything that the policy of posts shows, and nothing else.
-- docs/product.md PO24
select tests.elm();
select tests.hub('ash', 'amara');
select tests.person('nina', 4);
select tests.post(format('tram %s', n), 'maya') from generate_series(1, 3) as n;
select tests.post('tram of nina', 'nina');
select tests.post('tram in elm', 'jonas', 'private_locked_hub'), tests.placement('tram in elm', 'elm');
select tests.post('tram in ash', 'amara', 'private_locked_hub'), tests.placement('tram in ash', 'ash');
select tests.placement('tram 2', 'elm');
update app.post_words as w set words = 'tram'::tsvector;
insert into app.blocks (blocker_id, blocked_id) values (tests.id('nina'), tests.id('jonas'));

create function pg_temp.pages(p_caller text, p_args jsonb, p_limit integer)
returns uuid[]
language plpgsql
as $$
declare
  v_args jsonb := p_args || jsonb_build_object('q', 'tram', 'limit', p_limit);
  v_page jsonb;
  v_ids uuid[] := '{}';
begin
  loop
    v_page := tests.value_as(p_caller, format('api.search_posts(%L)', v_args));
    v_ids := v_ids || tests.item_ids(v_page);
    exit when v_page ->> 'nextCursor' is null;
    v_args := v_args || jsonb_build_object('cursor', v_page -> 'nextCursor');
  end loop;
  return v_ids;
end
$$;

select is(pg_temp.pages(caller, args, lim), tests.ids(variadic expected), title)
from (
  values
    (null, '{}'::jsonb, 50, array['tram of nina', 'tram 3', 'tram 2', 'tram 1'], 'a guest finds public posts'),
    (null, '{}', 1, array['tram of nina', 'tram 3', 'tram 2', 'tram 1'], 'pages of one post hold each post once'),
    (
      'jonas', '{}', 1, array['tram in elm', 'tram 3', 'tram 2', 'tram 1'],
      'a member finds posts of their Hubs, and none across a block'
    ),
    (
      'amara', '{}', 2, array['tram in ash', 'tram in elm', 'tram of nina', 'tram 3', 'tram 2', 'tram 1'],
      'a member of two Hubs finds posts of both'
    ),
    ('nina', '{}', 2, array['tram of nina', 'tram 3', 'tram 2', 'tram 1'], 'a user in no Hub finds no private posts'),
    ('jonas', tests.hub_args('elm'), 1, array['tram in elm', 'tram 2'], 'a search in a Hub finds its posts alone')
) as c (caller, args, lim, expected, title);
select is(
  tests.refusal_as(caller, format('select api.search_posts(%L)', tests.hub_args('elm') || '{"q": "tram"}')), refusal,
  title
)
from (
  values
    (null, 'PT401 UNAUTHORIZED', 'a guest cannot search in a Hub'),
    ('nina', 'PT403 FORBIDDEN', 'a non-member cannot search in a Hub'),
    ('lena', 'PT403 FORBIDDEN', 'a member of another Hub cannot search in a Hub')
) as c (caller, refusal, title);
delete from app.memberships where user_id = tests.id('jonas');
select is(
  pg_temp.pages('jonas', '{}', 50) @> tests.ids('tram in elm'), true,
  'an author finds their post in a Hub that they left'
);
delete from app.posts where id = tests.id('tram 1');
select is(pg_temp.pages(null, '{}', 50), tests.ids('tram of nina', 'tram 3', 'tram 2'), 'a deleted post is not found');

rollback to empty;

-- find_posts goes back in time beyond the newest posts, bucket by bucket.
select tests.person('maya', 3);
select tests.post(format('old %s', n), 'maya') from generate_series(1, 3) as n;
update app.post_words as w
set number = old.number, words = 'tram'::tsvector
from (values ('old 1', 49998), ('old 2', 50001), ('old 3', 160000)) as old (name, number)
where w.post_id = tests.id(old.name);
select tests.post('new', 'maya');
update app.post_words as w set number = 170000 where w.post_id = tests.id('new');
select is(
  array(select hit.id from unnest((app.find_posts('tram', 'tram', null, null, lim, 20000)).hits) as hit),
  tests.ids(variadic expected), format('find_posts finds %s of three old posts', lim)
)
from (values (5, array['old 3', 'old 2', 'old 1']), (2, array['old 3', 'old 2'])) as c (lim, expected);
select is(
  array(select hit.id from unnest((app.find_posts('tram', 'tram', null, 50001, 5, 20000)).hits) as hit),
  tests.ids('old 1'),
  'find_posts begins below a number'
);

rollback to empty;

-- A search examines a bounded number of candidates (docs/product.md PO24).
set local session_replication_role = replica;
insert into app.post_words (post_id, is_public, words, number)
select tests.id('post ' || n), true, case n when 1 then 'b:1 a:2'::tsvector else 'a:1 b:2' end, 300000 + n
from generate_series(1, 45000) as n;
set local session_replication_role = origin;
create temporary table searches as
select app.find_posts('b <-> a', 'b & a', null, null, 20, 20000) as first;
select is(
  array[(first).is_end, cardinality((first).hits) > 0], '{false,false}',
  'a search for a rare phrase of frequent words stops early'
)
from searches;
select ok(
  (first).examined between 20000 and 32000, format('it has examined %s candidates', (first).examined)
) from searches;
select is(
  array(
    select hit.id
    from unnest((app.find_posts('b <-> a', 'b & a', null, (first).reached, 20, 100000)).hits) as hit
  ),
  tests.ids('post 1'), 'the next search goes on where the first stopped, and finds the phrase'
)
from searches;
select tests.authenticate_as_guest();
create temporary table pages as select api.search_posts('{"q": "\"b a\""}')::jsonb as page;
select is(page -> 'items', '[]', 'the page of a search that stopped early may be empty') from pages;
select isnt(page ->> 'nextCursor', null, 'an empty page before the end has a cursor') from pages;
reset role;

rollback to empty;

-- A search in Hubs of more than 5,000 posts goes back in time bucket by bucket.
-- Other tests have moved the sequence, which must not meet the numbers below.
select setval(pg_get_serial_sequence('app.post_words', 'number'), 200000);
select tests.elm();
set local session_replication_role = replica;
insert into app.posts (id, author_id, thought_text, visibility)
select tests.id('many ' || n), tests.id('amara'), 'Many', 'private_locked_hub' from generate_series(1, 5001) as n;
insert into app.placements (post_id, hub_id) select tests.id('many ' || n), tests.id('elm')
from generate_series(1, 5001) as n;
insert into app.post_words (post_id, is_public, words, number)
select tests.id('many ' || n), false, case when n in (1, 5000) then 'tram' else 'many' end::tsvector, n * 20
from generate_series(1, 5001) as n;
set local session_replication_role = origin;
select tests.post('public', 'amara'), tests.placement('public', 'elm'), tests.post('elsewhere', 'amara');
update app.post_words set words = 'tram'::tsvector where post_id in (tests.id('public'), tests.id('elsewhere'));
update app.post_words
set number = case when post_id = tests.id('public') then 60001 else 200000 end
where words @@ 'tram' and is_public;
select is(
  tests.item_ids(tests.value_as(caller, format('api.search_posts(%L)', '{"q": "tram"}' || args))),
  tests.ids(variadic expected), title
)
from (
  values
    (
      'jonas', tests.hub_args('elm'), array['many 5000', 'public', 'many 1'],
      'a search in a large Hub finds its posts, newest first'
    ),
    (
      'jonas', '{}'::jsonb, array['elsewhere', 'many 5000', 'public', 'many 1'],
      'a member of a large Hub finds its posts among the public ones, newest first'
    ),
    (
      'jonas', tests.hub_args('elm') || '{"limit": 1}', array['many 5000'],
      'a page of a search in a large Hub holds the newest posts'
    ),
    (
      'amara', '{}', array['elsewhere', 'many 5000', 'public', 'many 1'],
      'the author of posts in a large Hub finds each of them once'
    ),
    (null, '{}', array['elsewhere', 'public'], 'a guest finds the public posts of a large Hub alone')
) as c (caller, args, expected, title);

select * from finish();
rollback;
