begin;
select plan(93);

create function pg_temp.card(p_viewer text, p_post text, variadic p_path text[] default '{}')
returns jsonb
language sql
return tests.value_as(p_viewer, format('(app.seen_cards(%L))[1]::jsonb #> %L', tests.ids(p_post), p_path));
savepoint empty;

-- A card shows the author's phone to members of the only Hub of a post (docs/product.md PO17).
select tests.elm();
select tests.hub('ash', 'lena'), tests.membership('ash', 'jonas');
select tests.discussion('locked', 'jonas', 'elm'), tests.discussion('for two', 'jonas', 'elm');
select tests.discussion('of lena', 'lena', 'elm');
select tests.placement('for two', 'ash');

create function pg_temp.phone(p_viewer text, p_post text default 'locked')
returns jsonb
language sql
return pg_temp.card(p_viewer, p_post, 'authorPhoneNumber');

select is(pg_temp.phone(viewer, post), to_jsonb(tests.phone_of(shown)), title)
from (
  values
    ('maya', 'locked', 'jonas', 'a member sees the phone of the author'),
    ('jonas', 'locked', 'jonas', 'an author sees their own phone'),
    ('maya', 'for two', null, 'a shareable post never shows the phone of its author'),
    ('maya', 'of lena', null, 'a post never shows the phone of an author outside its Hub')
) as c (viewer, post, shown, title);
-- Cards or policies already leave these out.
select is(tests.value_as(viewer, format('app.author_phone(%L)', tests.id(post))), '{}', title)
from (
  values
    ('lena', 'locked', 'a member of another Hub of the author does not see their phone'),
    (null, 'locked', 'a guest does not see the phone of the author'),
    ('maya', 'for two', 'author_phone of a shareable post is empty')
) as c (viewer, post, title);
delete from app.memberships where user_id = tests.id('maya');
select is(
  tests.value_as('maya', format('app.author_phone(%L)', tests.id('locked'))), '{}',
  'a former member does not see the phone of the author'
);
select is(
  pg_temp.phone('amara'), to_jsonb(tests.phone_of('jonas')), 'a remaining member still sees the phone of the author'
);
update app.users set phone = null, phone_verified_at = null where id = tests.id('jonas');
select ok(not pg_temp.card('amara', 'locked') ? 'authorPhoneNumber', 'an author without a phone shows none');
update app.users set phone = tests.phone_of('jonas'), phone_verified_at = app.now() where id = tests.id('jonas');
select app.delete_memberships(tests.id('elm'), tests.id('jonas'));
select is(pg_temp.phone('amara'), null, 'an author who left the Hub shows no phone');

rollback to empty;

-- hubId selects the votes that cards show (docs/product.md V11).
select tests.elm();
select tests.slider('trams', 'lena'), tests.repost('again', 'lena', 'trams'), tests.placement('trams', 'elm');
select tests.vote('jonas', 'trams', 'right'), tests.vote('lena', 'trams', 'left');

select is(
  jsonb_path_query_array(
    tests.value_as('maya', format('api.%s(%L)', operation, tests.post_args('trams') || args)), '$.**.totalVotes'
  ),
  expected::jsonb, title
)
from (
  values
    ('get_post', '{}', '[2]', 'get_post shows the votes of everybody by default'),
    ('get_post', tests.hub_args('elm'), '[1]', 'get_post shows the votes of the requested Hub'),
    ('list_frames', '{}', '[2]', 'list_frames shows the votes of everybody by default'),
    (
      'list_frames', tests.hub_args('elm'), '[1]',
      'list_frames shows the votes of the requested Hub on posts with a slider'
    ),
    ('get_hub_feed', tests.hub_args('elm'), '[1]', 'the feed of a Hub shows the votes of that Hub'),
    ('get_home_feed', tests.hub_args('elm'), '[1]', 'the home feed filtered by a Hub shows the votes of that Hub')
) as c (operation, args, expected, title);

rollback to empty;

-- get_post and get_share_link find visible posts alone. A share link requires level 2 and a shareable post.
-- docs/product.md PO13, PO23
select tests.elm();
select tests.person('anonymous', 1), tests.person('two', 2);
select tests.post('trams', 'lena'), tests.post('hidden', 'lena', 'private_locked_hub'),
  tests.discussion('locked', 'jonas', 'elm');

select is(tests.refusal_as(caller, format('select api.%s(%L)', operation, tests.post_args(post))), expected, title)
from (
  values
    ('get_post', null, 'trams', null, 'a guest reads a public post'),
    ('get_post', 'maya', 'locked', null, 'a member reads a private post'),
    ('get_post', null, 'locked', 'PT404 POST_NOT_FOUND', 'a guest cannot read a private post'),
    ('get_post', 'lena', 'locked', 'PT404 POST_NOT_FOUND', 'a non-member cannot read a private post'),
    ('get_post', 'lena', 'unknown', 'PT404 POST_NOT_FOUND', 'get_post finds no unknown post'),
    ('get_share_link', 'two', 'trams', null, 'a registered user gets a share link of a public post'),
    ('get_share_link', 'anonymous', 'trams', 'PT403 FORBIDDEN', 'an anonymous user gets no share link'),
    ('get_share_link', 'maya', 'hidden', 'PT404 POST_NOT_FOUND', 'get_share_link finds no hidden post'),
    (
      'get_share_link', 'maya', 'locked', 'PT409 POST_NOT_SHAREABLE',
      'a member gets no share link of a private post of one Hub'
    ),
    (
      'get_share_link', 'jonas', 'locked', 'PT409 POST_NOT_SHAREABLE',
      'an author gets no share link of their private post of one Hub'
    )
) as c (operation, caller, post, expected, title);
select throws_ok('select app.require_post(null)', 'PT404', 'POST_NOT_FOUND', 'require_post refuses an id of null');

rollback to empty;

-- list_frames lists an original and its visible reposts, oldest first (docs/product.md PO8).
select tests.elm();
select tests.post('trams', 'lena'), tests.post('other', 'lena'), tests.repost('of another', 'jonas', 'other');
select tests.repost('second', 'jonas', 'trams'), tests.repost('first', 'maya', 'trams', 'public_hub');
select tests.repost('locked', 'amara', 'trams', 'private_locked_hub'), tests.placement('locked', 'elm');
update app.posts as p set created_at = app.now() - at
from (
  values ('trams', interval '4 hours'), ('first', '3 hours'), ('second', '2 hours'), ('locked', '1 hour')
) as made (name, at)
where p.id = tests.id(made.name);

create function pg_temp.frames(p_viewer text, p_post text, p_by text default 'tests.item_ids(api.list_frames(%L))')
returns jsonb
language sql
return tests.value_as(p_viewer, format(p_by, tests.post_args(p_post)));

select is(pg_temp.frames(viewer, post), to_jsonb(expected), title)
from (
  values
    (
      null, 'trams', tests.ids('trams', 'first', 'second'), 'list_frames of an original lists its reposts, oldest first'
    ),
    (
      null, 'second', tests.ids('trams', 'first', 'second'),
      'list_frames of a repost lists the same posts as of its original'
    ),
    (
      'maya', 'trams', tests.ids('trams', 'first', 'second', 'locked'),
      'list_frames lists a private repost for members of its Hub'
    ),
    ('maya', 'of another', tests.ids('other', 'of another'), 'list_frames lists no reposts of another original')
) as c (viewer, post, expected, title);
select is(
  tests.refusal_as(null, format('select api.list_frames(%L)', tests.post_args(post))), 'PT404 POST_NOT_FOUND', title
)
from (
  values ('locked', 'list_frames finds no hidden post'), ('unknown', 'list_frames finds no unknown post')
) as c (post, title);
select is(
  pg_temp.frames('maya', 'trams', 'api.list_frames(%L) #> ''{items,1}'''), pg_temp.card('maya', 'first'),
  'list_frames answers the card of each post'
);
select is(
  pg_temp.frames('maya', 'trams', 'tests.item_ids_across_pages(''list_frames'', %L)'),
  to_jsonb(tests.ids('trams', 'first', 'second', 'locked')), 'pagination of list_frames skips and repeats nothing'
);
update app.posts set visibility = 'private_locked_hub' where id = tests.id('trams');
select is(
  pg_temp.frames('maya', 'first'), to_jsonb(tests.ids('first', 'second', 'locked')),
  'list_frames leaves out a hidden original'
);
select is(
  pg_temp.frames('maya', 'first', 'tests.item_ids_across_pages(''list_frames'', %L)'),
  to_jsonb(tests.ids('first', 'second', 'locked')), 'pagination of list_frames works without the original'
);
delete from app.posts where id = tests.id('trams');
select is(
  pg_temp.frames('maya', 'first'), to_jsonb(tests.ids('first', 'second', 'locked')),
  'list_frames lists reposts together after their original is deleted'
);

rollback to empty;

-- list_frames orders posts of the same time by id, 20 on a page by default.
select tests.person('maya');
select tests.post('trams', 'maya');
select tests.repost(n::text, 'maya', 'trams') from generate_series(1, 21) as n;
select tests.disable_index_scans();
select tests.authenticate_as_guest();
create temporary table pages as
select * from tests.pages('list_frames', tests.post_args('trams')) with ordinality as listed (page, n);
select results_eq(
  'select cardinality(tests.item_ids(page)) from pages order by n', array[20, 2],
  'list_frames lists 20 posts on a page by default'
);
select is(
  (
    select array_agg(item.id order by n, item.place)
    from pages, unnest(tests.item_ids(page)) with ordinality as item (id, place)
  ),
  array(select p.id from app.posts as p order by p.id), 'list_frames orders posts of the same time by id across pages'
);

rollback to empty;

-- A card shows counts, shareability, the viewer's own save, and an author without a profile as anonymous.
select tests.elm();
select tests.post('trams', 'lena'), tests.repost('again', 'jonas', 'trams'), tests.discussion('locked', 'jonas', 'elm');
select tests.comment('hello', 'jonas', 'trams'), tests.comment('reply', 'lena', 'trams', 'hello');
insert into app.saved_posts (user_id, post_id)
values (tests.id('maya'), tests.id('trams')), (tests.id('jonas'), tests.id('again'));

select is(pg_temp.card(viewer, post, field), expected, title)
from (
  values
    ('maya', 'trams', 'commentCount', '2'::jsonb, 'a card counts comments and replies'),
    ('maya', 'trams', 'repostCount', '1', 'a card counts the reposts of its post'),
    ('maya', 'trams', 'isShareable', 'true', 'a card of a public post is shareable'),
    ('maya', 'locked', 'isShareable', 'false', 'a card of a private post of one Hub is not shareable'),
    ('maya', 'trams', 'viewerSaved', 'true', 'a card shows a viewer that they saved the post'),
    ('maya', 'again', 'viewerSaved', 'false', 'a card does not show that another person saved the post'),
    (null, 'trams', 'viewerSaved', 'false', 'a card shows a guest no saved post')
) as c (viewer, post, field, expected, title);
delete from app.profiles;
select is(
  pg_temp.card(null, 'trams', 'author'), app.user_lite(null),
  'a card of an author without a profile shows an anonymous author'
);

rollback to empty;

-- A card names those Hubs of a post that the viewer is a member of (docs/product.md PO15).
select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['ash', 'oak', 'fir']) as name;
select tests.post('trams', 'jonas', 'public_hub'), tests.post('bikes', 'jonas', 'public_hub'),
  tests.placement('bikes', 'elm');
select tests.placement('trams', 'ash', app.now() - interval '1 day'),
  tests.placement('trams', 'fir', app.now(), 'shared');
select tests.placement('trams', name) from unnest(array['elm', 'oak']) as name;
select tests.disable_index_scans();

select is(
  pg_temp.card(viewer, 'trams', 'hubs'),
  (
    select coalesce(
      jsonb_agg(jsonb_build_object('id', tests.id(name), 'name', name) order by name <> 'ash', tests.id(name)), '[]'
    )
    from unnest(expected::text[]) as name
  ),
  title
)
from (
  values
    ('jonas', '{ash,elm,oak,fir}', 'a card names targeted and shared Hubs in the order of time and id'),
    ('maya', '{elm}', 'a card names no Hub without the viewer'),
    ('lena', '{}', 'a card names no Hub to a non-member'),
    (null, '{}', 'a card names no Hub to a guest')
) as c (viewer, expected, title);

rollback to empty;

-- A card shows the media of its article.
select tests.person('maya', 3);
select tests.asset('picture', 'maya'), tests.asset('paper', 'maya', 'document');
create function pg_temp.create(p_article jsonb)
returns jsonb
language sql
return tests.value_as(
  'maya', format('api.create_post(%L)', jsonb_build_object('visibility', 'public', 'article', p_article))
);

create temporary table answers as
select pg_temp.create(jsonb_build_object('media', jsonb_build_array(
  jsonb_build_object('assetId', tests.id('paper'), 'altText', ''),
  jsonb_build_object('assetId', tests.id('picture'), 'altText', 'A tram')
))) as post;
select is(
  tests.value_as(null, format('(app.seen_cards(array[%L::uuid]))[1]::jsonb #> %L', post ->> 'id', '{article,media}')),
  jsonb_build_array(
    jsonb_build_object(
      'assetId', tests.id('paper'), 'purpose', 'document', 'contentType', 'application/pdf', 'width', null, 'height',
      null,
      'blurhash', null, 'altText', null
    ),
    jsonb_build_object(
      'assetId', tests.id('picture'), 'purpose', 'post_image', 'contentType', 'image/png', 'width', 640, 'height', 480,
      'blurhash', 'blur of picture', 'altText', 'A tram'
    )
  ),
  'a card shows a guest the media of an article in order with their alt texts, without their owner and their object'
)
from answers;
select is(
  pg_temp.create('{"title": "Trams"}') #> '{article,media}', '[]',
  'a card of an article without media shows an empty list'
);
select is(
  pg_temp.create(jsonb_build_object('assetIds', tests.ids('picture', 'paper'))) #>> '{article,media,1,assetId}',
  tests.id('paper')::text,
  'an article can have assetIds in place of media'
);
select is(
  tests.error_of(format('select pg_temp.create(%L)', article)) #> '{details,issues,0}' ->> 'code', code, title
)
from (
  values
    (
      jsonb_build_object('assetIds', tests.ids('picture'), 'media', '[]'::jsonb), 'not_with_asset_ids',
      'an article cannot have assetIds beside media'
    ),
    ('{"media": [{"altText": "A tram"}]}', 'required', 'a file of an article needs an assetId'),
    ('{"media": ["picture"]}', 'required', 'a file of an article must be an object'),
    ('{"media": {"assetId": null}}', 'invalid_type', 'media of an article must be an array'),
    ('{"media": [{"assetId": "picture"}]}', 'invalid_format', 'an assetId of an article must be a UUID'),
    (
      jsonb_build_object('media', array_fill(jsonb_build_object('assetId', tests.id('picture')), array[2])),
      'not_distinct',
      'an article cannot show an asset twice'
    ),
    (
      jsonb_build_object('media', array_fill(jsonb_build_object('assetId', tests.id('picture')), array[11])),
      'out_of_range',
      'an article cannot have eleven files'
    ),
    (
      jsonb_build_object(
        'media', jsonb_build_array(jsonb_build_object('assetId', tests.id('picture'), 'altText', repeat('a', 501)))
      ),
      'too_big', 'an alt text cannot have 501 characters'
    ),
    (
      jsonb_build_object('media', jsonb_build_array(jsonb_build_object('assetId', tests.id('picture'), 'altText', 1))),
      'invalid_type', 'an alt text must be a text'
    )
) as c (article, code, title);
select is(
  tests.violation_of($$ select pg_temp.create('{"assetIds": []}') $$), 'articles_have_content',
  'an article with an empty list of media and no text is refused'
);

rollback to empty;

-- A card of a repost shows the original, if the viewer sees the original (docs/product.md PO6, PO7).
select tests.elm();
select tests.asset('picture', 'lena'), tests.post_with_media('trams', 'lena', 'picture');
select tests.repost('again', 'jonas', 'trams');
select tests.discussion('locked', 'amara', 'elm'), tests.repost('of locked', 'jonas', 'locked');
select tests.slider('bikes', 'lena'), tests.repost('of bikes', 'jonas', 'bikes');

create function pg_temp.source(p_change jsonb)
returns jsonb
language sql
return '{"article": null, "thoughtText": null, "sliderText": null, "slider": null, "isShareable": true}' || p_change;

select is(pg_temp.card(viewer, post, variadic path), expected, title)
from (
  values
    (
      'maya', 'again', array['sourcePost'],
      pg_temp.source(jsonb_build_object('article', pg_temp.card('maya', 'trams', 'article'))),
      'a card of a repost shows the article and the media of its original'
    ),
    ('maya', 'again', array['article'], 'null', 'a repost has no article of its own'),
    ('maya', 'again', array['sourcePostId'], to_jsonb(tests.id('trams')), 'a card of a repost names its original'),
    (
      'maya', 'of bikes', array['sourcePost'],
      pg_temp.source('{"sliderText": "bikes", "slider": {"leftLabel": "Disagree", "rightLabel": "Agree"}}'),
      'a card of a repost shows the slider of its original'
    ),
    ('maya', 'of bikes', array['sliderText'], 'null', 'the slider of an original is not the slider of its repost'),
    ('maya', 'of bikes', array['viewerVote'], 'null', 'a repost without a slider has no vote of the viewer'),
    ('maya', 'trams', array['sourcePost'], 'null', 'a card of an original has no sourcePost'),
    ('maya', 'trams', array['sourcePostId'], 'null', 'a card of an original has no sourcePostId'),
    (
      'maya', 'of locked', array['sourcePost'], pg_temp.source('{"thoughtText": "locked", "isShareable": false}'),
      'a member sees the private original of a repost'
    ),
    ('lena', 'of locked', array['sourcePost'], 'null', 'a non-member does not see the private original of a repost'),
    (
      'lena', 'of locked', array['sourcePostId'], to_jsonb(tests.id('locked')),
      'a non-member sees the id of the private original'
    )
) as c (viewer, post, path, expected, title);
delete from app.posts where id = tests.id('trams');
select is(pg_temp.card('maya', 'again', 'sourcePost'), 'null', 'a card of a repost shows no deleted original');
select is(
  pg_temp.card('maya', 'again', 'sourcePostId'), to_jsonb(tests.id('trams')),
  'a card of a repost keeps the id of a deleted original'
);

rollback to empty;

-- A card shows the votes of one scope, whether the viewer voted, and the distribution after their vote.
-- docs/product.md PO15, V11-V13
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'lena'), tests.slider('locked', 'lena', 'private_locked_hub');
select tests.post('no slider', 'lena');
select tests.placement('trams', 'elm'), tests.placement('no slider', 'elm');
select tests.placement('locked', 'elm', app.now() - interval '1 hour'), tests.placement('locked', 'oak');
select tests.vote('jonas', 'trams', 'right'), tests.vote('lena', 'trams', 'left');
select tests.vote('maya', 'locked', 'neutral'), tests.vote('jonas', 'locked', 'left');

create function pg_temp.votes(p_viewer text, p_post text, p_hub text default null)
returns text
language sql
return tests.value_as(p_viewer, format(
  $$
    (
      select format(
        '%%s %%s%%s',
        coalesce(
          (select h.name from app.hubs as h where h.id = (c.card #>> '{voteScope,hubId}')::uuid),
          c.card #>> '{voteScope,type}'
        ),
        c.card #>> '{voteSummary,totalVotes}',
        ' of which left ' || (c.card #>> '{voteDistribution,1,count}')
      )
      from (select (app.seen_cards(%L, %L))[1] as card) as c
    )
  $$, tests.ids(p_post), tests.id(p_hub)
)) #>> '{}';

select is(pg_temp.votes(viewer, post, hub), expected, title)
from (
  values
    ('jonas', 'trams', null, 'global 2 of which left 1', 'a card of a public post shows the votes of everybody'),
    ('jonas', 'trams', 'elm', 'elm 1 of which left 0', 'a card of a public post shows the votes of the requested Hub'),
    ('jonas', 'trams', 'oak', 'oak 0', 'a card shows no votes of a requested Hub without the post'),
    (
      'jonas', 'locked', null, 'elm 2 of which left 1',
      'a card of a private post shows the votes of the first Hub of the viewer'
    ),
    (
      'jonas', 'locked', 'oak', 'oak 1 of which left 1', 'a card of a private post shows the votes of the requested Hub'
    ),
    ('maya', 'locked', 'oak', 'oak 0', 'a card shows a non-member no votes of the requested Hub'),
    ('lena', 'locked', null, 'global 0', 'a card shows no votes to an author outside the Hubs of their private post'),
    (null, 'trams', null, 'global 2', 'a card of a public post shows a guest the votes of everybody'),
    ('maya', 'trams', null, 'global 2', 'a card shows no distribution before the vote of the viewer'),
    ('jonas', 'no slider', 'elm', ' ', 'a card without a slider has no vote scope')
) as c (viewer, post, hub, expected, title);
select is(
  pg_temp.card('jonas', 'trams', 'viewerVote'),
  jsonb_build_object('hasVoted', true, 'votedAt', app.iso(date_trunc('minute', app.now()))),
  'a card shows a voter their own vote with its minute'
);
select is(
  jsonb_array_length(pg_temp.card('jonas', 'trams', 'voteDistribution')), 5, 'a card shows a voter the five positions'
);
select is(
  pg_temp.card('maya', 'trams', 'viewerVote'), '{"hasVoted": false, "votedAt": null}',
  'a card does not show the vote of another person'
);
select is(
  (
    select jsonb_object_agg(key, value) from jsonb_each(pg_temp.card(null, 'no slider'))
    where key in ('sliderText', 'slider', 'viewerVote', 'voteScope', 'voteSummary', 'voteDistribution')
  ),
  '{"sliderText": null, "slider": null, "viewerVote": null, "voteScope": null, "voteSummary": null}',
  'a card without a slider has null in its vote fields'
);

select * from finish();
rollback;
