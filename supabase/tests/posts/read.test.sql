begin;
select plan(141);
savepoint empty;

-- article_media shows the media of a visible article, in their order.
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.post_with_media('trams', 'maya', 'paper');
update app.article_assets set place = 7;
select tests.add_article_media('article of trams', 'picture');
select tests.authenticate_as_guest();
select is(
  app.article_media(tests.id('article of trams')),
  jsonb_build_array(
    jsonb_build_object(
      'assetId', tests.id('picture'), 'purpose', 'post_image', 'contentType', 'image/png', 'width', 640, 'height', 480,
      'blurhash', 'blur of picture'
    ),
    jsonb_build_object(
      'assetId', tests.id('paper'), 'purpose', 'document', 'contentType', 'application/pdf', 'width', null, 'height', null,
      'blurhash', null
    )
  ),
  'article_media lists media in order, without their owner and their object'
);
select is(app.article_media(tests.id('nothing')), '[]', 'article_media of an unknown article is empty');
reset role;
select tests.block('maya', 'jonas');
select tests.authenticate_as('jonas');
select is(app.article_media(tests.id('article of trams')), '[]', 'article_media of a hidden article is empty');
select tests.authenticate_as('maya');
select is(
  jsonb_array_length(app.article_media(tests.id('article of trams'))), 2,
  'article_media shows an author all media of their article'
);

rollback to empty;

-- author_phone shows the author's phone to members of the only Hub of a post.
select tests.elm();
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.discussion('for two', 'jonas', 'elm');
select tests.discussion('of lena', 'lena', 'elm');
update app.posts set is_shareable = false where id = tests.id('of lena');

-- Returns what author_phone answers a caller, and raises if a card that the caller sees differs.
create function pg_temp.phone(p_caller text, p_post text default 'locked')
returns jsonb
language plpgsql
as $$
declare
  v_phone jsonb;
  v_card jsonb;
begin
  if p_caller is null then
    perform tests.authenticate_as_guest();
  else
    perform tests.authenticate_as(p_caller);
  end if;
  v_phone := app.author_phone(tests.id(p_post));
  v_card := (select card from app.post_cards(tests.ids(p_post)));
  if v_card -> 'authorPhoneNumber' is distinct from v_phone -> 'authorPhoneNumber' and v_card is not null then
    raise exception 'the card differs';
  end if;
  perform set_config('role', 'none', true);
  return v_phone;
end
$$;

create function pg_temp.shown(p_author text)
returns jsonb
language sql
return jsonb_build_object('authorPhoneNumber', tests.phone_of(p_author));

select is(pg_temp.phone(caller, post), expected, title)
from (
  values
    ('maya', 'locked', pg_temp.shown('jonas'), 'a member sees the phone of the author'),
    ('jonas', 'locked', pg_temp.shown('jonas'), 'an author sees their own phone'),
    ('lena', 'locked', '{}', 'a non-member does not see the phone of the author'),
    (null, 'locked', '{}', 'a guest does not see the phone of the author'),
    ('maya', 'for two', '{}', 'a shareable post never shows the phone of its author'),
    ('maya', 'of lena', '{}', 'a post never shows the phone of an author outside its Hub'),
    ('maya', 'unknown', '{}', 'an unknown post shows no phone')
) as c (caller, post, expected, title);
select tests.hub('ash', 'lena');
select tests.membership('ash', 'jonas');
select is(pg_temp.phone('lena'), '{}', 'a member of another Hub of the author does not see their phone');
delete from app.memberships where user_id = tests.id('maya');
select is(pg_temp.phone('maya'), '{}', 'a former member does not see the phone of the author');
select is(pg_temp.phone('amara'), pg_temp.shown('jonas'), 'a remaining member still sees the phone of the author');
update app.users set phone = null, phone_verified_at = null where id = tests.id('jonas');
select is(pg_temp.phone('amara'), '{}', 'an author without a phone shows none');
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('elm');
update app.users set phone = tests.phone_of('jonas'), phone_verified_at = app.now() where id = tests.id('jonas');
select is(pg_temp.phone('amara'), '{}', 'an author who left the Hub shows no phone');

rollback to empty;

-- hubId selects the votes that cards show.
select tests.elm();
select tests.slider('trams', 'lena');
select tests.repost('again', 'lena', 'trams');
select tests.placement('trams', 'elm');
select tests.vote('jonas', 'trams', 'right'), tests.vote('lena', 'trams', 'left');
create function pg_temp.scopes(p_cards jsonb)
returns text
language sql
return (
  select string_agg(concat_ws(
    ' ', coalesce(replace(card #>> '{voteScope,hubId}', tests.id('elm')::text, 'elm'), 'everybody'),
    card #>> '{voteSummary,totalVotes}'
  ), ', ')
  from jsonb_array_elements(p_cards) as card
);

select tests.authenticate_as('maya');
select is(pg_temp.scopes(cards), expected, title)
from (
  values
    (
      jsonb_build_array(api.get_post(tests.post_args('trams'))), 'everybody 2',
      'get_post shows the votes of everybody by default'
    ),
    (
      jsonb_build_array(api.get_post(tests.post_args('trams') || tests.hub_args('elm'))), 'elm 1',
      'get_post shows the votes of the requested Hub'
    ),
    (
      api.list_frames(tests.post_args('trams')) -> 'items', 'everybody 2, everybody',
      'list_frames shows the votes of everybody by default'
    ),
    (
      api.list_frames(tests.post_args('trams') || tests.hub_args('elm')) -> 'items', 'elm 1, everybody',
      'list_frames shows the votes of the requested Hub on posts with a slider'
    ),
    (api.get_hub_feed(tests.hub_args('elm')) -> 'items', 'elm 1', 'the feed of a Hub shows the votes of that Hub'),
    (api.get_home_feed(tests.hub_args('elm')) -> 'items', 'elm 1', 'the home feed filtered by a Hub shows the votes of that Hub')
) as c (cards, expected, title);

rollback to empty;

-- get_post and require_post find visible posts alone.
select tests.elm();
select tests.post('public', 'maya', 'public');
select tests.discussion('locked', 'jonas', 'elm');

select tests.authenticate_as_guest();
select is(api.get_post(tests.post_args('public')) ->> 'thoughtText', 'public', 'a guest reads a public post');
select throws_ok(
  $$ select api.get_post(tests.post_args('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'a guest cannot read a private post'
);
select throws_ok(
  $$ select app.require_post(tests.id('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'require_post does not return a hidden post'
);
select tests.authenticate_as('lena');
select throws_ok(
  $$ select api.get_post(tests.post_args('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'a non-member cannot read a private post'
);
select throws_ok(
  $$ select api.get_post(tests.post_args('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'get_post finds no unknown post'
);
select throws_ok(
  $$ select app.require_post(tests.id('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'require_post finds no unknown post'
);
select throws_ok('select app.require_post(null)', 'PT404', 'POST_NOT_FOUND', 'require_post refuses an id of null');
select tests.authenticate_as('maya');
select is((app.require_post(tests.id('locked'))).thought_text, 'locked', 'require_post returns a private post to a member');

rollback to empty;

-- get_share_link requires level 2 and a shareable post.
select tests.elm();
select tests.person('anonymous', 1);
select tests.person('two', 2);
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where visibility = 'private_locked_hub';

select is(tests.refusal_as(caller, format('select api.get_share_link(%L)', tests.post_args(post))), expected, title)
from (
  values
    (null, 'trams', '42501', 'a guest gets no share link'),
    ('anonymous', 'trams', 'PT403 FORBIDDEN', 'an anonymous user gets no share link'),
    ('maya', 'hidden', 'PT404 POST_NOT_FOUND', 'get_share_link finds no hidden post'),
    ('maya', 'unknown', 'PT404 POST_NOT_FOUND', 'get_share_link finds no unknown post'),
    ('maya', 'locked', 'PT409 POST_NOT_SHAREABLE', 'a member gets no share link of a private post of one Hub'),
    ('jonas', 'locked', 'PT409 POST_NOT_SHAREABLE', 'an author gets no share link of their private post of one Hub')
) as c (caller, post, expected, title);
select tests.authenticate_as('two');
select is(
  api.get_share_link(tests.post_args('trams')), tests.post_args('trams'), 'get_share_link answers the id of a shareable post'
);

rollback to empty;

-- list_frames lists an original and its visible reposts, oldest first.
select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('second', 'jonas', 'trams');
select tests.repost('first', 'maya', 'trams', 'public_hub');
select tests.repost('locked', 'amara', 'trams', 'private_locked_hub');
select tests.placement('locked', 'elm');
select tests.post('other', 'lena');
select tests.repost('of another', 'jonas', 'other');
update app.posts as p set created_at = app.now() - at
from (values ('trams', interval '4 hours'), ('first', '3 hours'), ('second', '2 hours'), ('locked', '1 hour')) as made (name, at)
where p.id = tests.id(made.name);

create function pg_temp.frames(p_post text)
returns uuid[]
language sql
return tests.item_ids(api.list_frames(tests.post_args(p_post)));

select tests.authenticate_as_guest();
select is(
  pg_temp.frames('trams'), tests.ids('trams', 'first', 'second'), 'list_frames of an original lists its reposts, oldest first'
);
select is(
  pg_temp.frames('second'), tests.ids('trams', 'first', 'second'),
  'list_frames of a repost lists the same posts as of its original'
);
select is(tests.refusal('list_frames', args), expected, title)
from (
  values
    (tests.post_args('locked'), 'POST_NOT_FOUND', 'list_frames finds no hidden post'),
    (tests.post_args('unknown'), 'POST_NOT_FOUND', 'list_frames finds no unknown post'),
    (tests.post_args('trams') || '{"cursor": "?"}', 'VALIDATION_FAILED', 'list_frames refuses a foreign cursor'),
    (tests.post_args('trams') || '{"limit": 51}', 'VALIDATION_FAILED', 'list_frames refuses a limit above 50')
) as c (args, expected, title);
select tests.authenticate_as('maya');
select is(
  pg_temp.frames('trams'), tests.ids('trams', 'first', 'second', 'locked'),
  'list_frames lists a private repost for members of its Hub'
);
select is(
  api.list_frames(tests.post_args('trams')) #> '{items,1}', (select card from app.post_cards(tests.ids('first'))),
  'list_frames answers the card of each post'
);
select is(
  tests.item_ids_across_pages('list_frames', tests.post_args('trams')), pg_temp.frames('trams'),
  'pagination of list_frames skips and repeats nothing'
);
reset role;
update app.posts set visibility = 'private_locked_hub' where id = tests.id('trams');
select tests.authenticate_as('maya');
select is(pg_temp.frames('first'), tests.ids('first', 'second', 'locked'), 'list_frames leaves out a hidden original');
select is(
  tests.item_ids_across_pages('list_frames', tests.post_args('first')), pg_temp.frames('first'),
  'pagination of list_frames works without the original'
);
reset role;
delete from app.posts where id = tests.id('trams');
select tests.authenticate_as('maya');
select is(
  pg_temp.frames('first'), tests.ids('first', 'second', 'locked'),
  'list_frames lists reposts together after their original is deleted'
);
select is(pg_temp.frames('of another'), tests.ids('other', 'of another'), 'list_frames lists no reposts of another original');

rollback to empty;

-- list_frames orders posts of the same time by id.
select tests.person('maya');
select tests.post('trams', 'maya');
select tests.repost(n::text, 'maya', 'trams') from generate_series(1, 21) as n;
select tests.disable_index_scans();
select tests.authenticate_as_guest();
select is(
  tests.item_ids(api.list_frames(tests.post_args('trams') || '{"limit": 50}')),
  array(select p.id from app.posts as p order by p.id),
  'list_frames orders posts of the same time by id'
);
select is(
  cardinality(tests.item_ids(api.list_frames(tests.post_args('trams')))), 20, 'list_frames lists 20 posts on a page by default'
);
select is(
  tests.item_ids(api.list_frames(
    tests.post_args('trams') || jsonb_build_object('cursor', api.list_frames(tests.post_args('trams')) -> 'nextCursor')
  )),
  (array(select p.id from app.posts as p order by p.id))[21:],
  'list_frames continues behind its cursor among posts of the same time'
);

rollback to empty;

-- posts_json answers cards in the order of the ids.
select tests.person('maya');
select tests.post(name, 'maya') from unnest(array['a', 'b', 'c']) as name;
select tests.post('hidden', 'maya', 'private_locked_hub');

select tests.authenticate_as_guest();
select is(
  app.posts_json(tests.ids('c', 'a', 'hidden', 'b')),
  (
    select jsonb_agg(card order by post_id = tests.id('b'), post_id = tests.id('a'))
    from app.post_cards(tests.ids('a', 'b', 'c'))
  ),
  'posts_json answers the cards of visible posts in the given order'
);
select is(
  tests.item_ids(jsonb_build_object('items', app.posts_json(tests.ids('b', 'c', 'a')))), tests.ids('b', 'c', 'a'),
  'posts_json follows another order of the same ids'
);
select is(app.posts_json('{}'), '[]', 'posts_json of no ids is empty');

rollback to empty;

-- may_place permits targets of an unplaced own post and shares of a shareable visible post.
select tests.elm();
select tests.post('his', 'jonas', 'private_locked_hub');
select tests.post('hers', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.post('locked', 'maya', 'private_locked_hub');
select tests.placement('locked', 'elm');
update app.posts set is_shareable = false where thought_text in ('his', 'locked');

select tests.authenticate_as('jonas');
select is(app.may_place(tests.id(post), kind::app.placement_kind), expected, title)
from (
  values
    ('his', 'targeted', true, 'an author may target Hubs with their own post'),
    ('his', 'shared', false, 'an author may not share a post that is not shareable'),
    ('hers', 'targeted', false, 'a person may not target Hubs with the post of another author'),
    ('hers', 'shared', true, 'a person may share the public post of another author'),
    ('locked', 'shared', false, 'a member may not share a private post of one Hub'),
    ('hidden', 'shared', false, 'a person may not share a hidden post'),
    ('unknown', 'shared', false, 'a person may not share an unknown post'),
    ('unknown', 'targeted', false, 'a person may not target Hubs with an unknown post')
) as c (post, kind, expected, title);
reset role;
select tests.placement('his', 'elm');
select tests.authenticate_as('jonas');
select ok(not app.may_place(tests.id('his'), 'targeted'), 'an author may not target further Hubs with a placed post');
select ok(app.may_place(tests.id('hers'), 'shared'), 'a person may share a post after the placement of another one');
reset role;
select tests.block('lena', 'jonas');
select tests.authenticate_as('jonas');
select ok(not app.may_place(tests.id('hers'), 'shared'), 'a person may not share a post across a block');
reset role;
delete from app.blocks;
select app.end_user(tests.id('lena'));
select tests.authenticate_as('jonas');
select ok(not app.may_place(tests.id('hers'), 'shared'), 'a person may not share a post of an ended account');

rollback to empty;

-- may_repost permits visible and shareable originals.
select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('again', 'jonas', 'trams');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.discussion('for two', 'jonas', 'elm');
select tests.authenticate_as('maya');
select is(app.may_repost(tests.id(post)), expected, title)
from (
  values
    ('trams', true, 'a person may repost a public original'),
    ('for two', true, 'a member may repost a shareable private original'),
    ('again', false, 'a person may not repost a repost'),
    ('locked', false, 'a member may not repost a private post of one Hub'),
    ('unknown', false, 'a person may not repost an unknown post')
) as c (post, expected, title);
select tests.authenticate_as('lena');
select ok(not app.may_repost(tests.id('for two')), 'a person may not repost a hidden post');

rollback to empty;

-- post_cards answers cards of visible posts alone.
select tests.person('maya', 4);
select tests.post('public', 'maya', 'public');
select tests.post('locked', 'maya', 'private_locked_hub');
select tests.authenticate_as_guest();
select results_eq(
  $$ select post_id from app.post_cards(array[tests.id('locked'), tests.id('public'), tests.id('unknown')]) $$,
  array[tests.id('public')],
  'post_cards leaves out hidden and unknown posts'
);
select is_empty('select from app.post_cards(null)', 'post_cards of null is empty');
reset role;
delete from app.profiles;
select tests.authenticate_as_guest();
select is(c.card -> 'author', app.user_lite(null), 'a card of an author without a profile shows an anonymous author')
from app.post_cards(tests.ids('public')) as c;

rollback to empty;

-- A card shows counts, shareability and the viewer's own save.
select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('again', 'jonas', 'trams');
select tests.comment('hello', 'jonas', 'trams');
select tests.comment('reply', 'lena', 'trams', 'hello');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
insert into app.saved_posts (user_id, post_id)
values (tests.id('maya'), tests.id('trams')), (tests.id('jonas'), tests.id('again'));

select tests.authenticate_as('maya');
select is((select card -> field from app.post_cards(tests.ids(post))), expected, title)
from (
  values
    ('trams', 'commentCount', '2'::jsonb, 'a card counts comments and replies'),
    ('trams', 'repostCount', '1', 'a card counts the reposts of its post'),
    ('trams', 'isShareable', 'true', 'a card of a public post is shareable'),
    ('locked', 'isShareable', 'false', 'a card of a private post of one Hub is not shareable'),
    ('trams', 'viewerSaved', 'true', 'a card shows a viewer that they saved the post'),
    ('again', 'viewerSaved', 'false', 'a card does not show that another person saved the post')
) as c (post, field, expected, title);
select tests.authenticate_as_guest();
select is(card -> 'viewerSaved', 'false', 'a card shows a guest no saved post') from app.post_cards(tests.ids('trams'));

rollback to empty;

-- A card names those Hubs of a post that the viewer is a member of.
select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['ash', 'oak', 'fir']) as name;
select tests.post('trams', 'jonas', 'public_hub');
select tests.placement('trams', 'ash', app.now() - interval '1 day');
select tests.placement('trams', name) from unnest(array['elm', 'oak']) as name;
select tests.placement('trams', 'fir', app.now(), 'shared');
select tests.post('bikes', 'jonas', 'public_hub');
select tests.placement('bikes', 'elm');
select tests.disable_index_scans();

create function pg_temp.hubs()
returns jsonb
language sql
return (select card -> 'hubs' from app.post_cards(tests.ids('trams')));

create function pg_temp.expected(variadic p_names text[])
returns jsonb
language sql
return (
  select jsonb_agg(jsonb_build_object('id', tests.id(name), 'name', name) order by name <> 'ash', tests.id(name))
  from unnest(p_names) as name
);

select tests.authenticate_as('jonas');
select is(
  pg_temp.hubs(), pg_temp.expected('ash', 'elm', 'oak', 'fir'),
  'a card names targeted and shared Hubs in the order of time and id'
);
select tests.authenticate_as('maya');
select is(pg_temp.hubs(), pg_temp.expected('elm'), 'a card names no Hub without the viewer');
select tests.authenticate_as('lena');
select is(pg_temp.hubs(), '[]', 'a card names no Hub to a non-member');
select tests.authenticate_as_guest();
select is(pg_temp.hubs(), '[]', 'a card names no Hub to a guest');

rollback to empty;

-- A card shows the media of its article.
select tests.person('maya', 3);
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.authenticate_as('maya');
create temporary table answers as
select api.create_post(jsonb_build_object(
  'visibility', 'public', 'article', jsonb_build_object('assetIds', jsonb_build_array(tests.id('paper'), tests.id('picture')))
)) as post;
select is(
  post #> '{article,media,0,assetId}', to_jsonb(tests.id('paper')), 'an article may consist of media alone, in their order'
)
from answers;
select tests.authenticate_as_guest();
select is(c.card #> '{article,media,1,assetId}', to_jsonb(tests.id('picture')), 'a card shows the media of an article to a guest')
from app.post_cards(array(select p.id from app.posts as p)) as c;
select tests.authenticate_as('maya');
select is(
  api.create_post('{"visibility": "public", "article": {"title": "Trams"}}') #> '{article,media}', '[]',
  'a card of an article without media shows an empty list'
);
select is(
  tests.error_of($$ select api.create_post('{"visibility": "public", "article": {"assetIds": []}}') $$) ->> 'state', '23514',
  'an article with an empty list of media and no text is refused'
);

rollback to empty;

-- A card of a repost shows the original, if the viewer sees the original.
select tests.elm();
select tests.asset('picture', 'lena');
select tests.post_with_media('trams', 'lena', 'picture');
update app.articles set title = 'About trams';
select tests.repost('again', 'jonas', 'trams');
select tests.discussion('locked', 'amara', 'elm');
select tests.repost('of locked', 'jonas', 'locked');
select tests.slider('bikes', 'lena');
select tests.repost('of bikes', 'jonas', 'bikes');

create function pg_temp.card(p_name text, variadic p_path text[] default '{}')
returns jsonb
language sql
return (select card #> p_path from app.post_cards(tests.ids(p_name)));

select tests.authenticate_as('maya');
select is(
  pg_temp.card('again', 'sourcePost'),
  jsonb_build_object(
    'article', pg_temp.card('trams', 'article'), 'thoughtText', null, 'sliderText', null, 'slider', null, 'isShareable', true
  ),
  'a card of a repost shows the article of its original'
);
select is(pg_temp.card(post, variadic path), expected, title)
from (
  values
    ('again', array['article'], 'null'::jsonb, 'a repost has no article of its own'),
    ('again', array['sourcePostId'], to_jsonb(tests.id('trams')), 'a card of a repost names its original'),
    (
      'again', array['sourcePost', 'article', 'media', '0', 'assetId'], to_jsonb(tests.id('picture')),
      'a card of a repost shows the media of its original'
    ),
    ('of bikes', array['sourcePost', 'sliderText'], '"bikes"', 'a card of a repost shows the slider of its original'),
    ('of bikes', array['sliderText'], 'null', 'the slider of an original is not the slider of its repost'),
    ('of bikes', array['viewerVote'], 'null', 'a repost without a slider has no vote of the viewer'),
    ('trams', array['sourcePost'], 'null', 'a card of an original has no sourcePost'),
    ('trams', array['sourcePostId'], 'null', 'a card of an original has no sourcePostId'),
    ('of locked', array['sourcePost', 'thoughtText'], '"locked"', 'a member sees the private original of a repost')
) as c (post, path, expected, title);
select tests.authenticate_as('lena');
select is(pg_temp.card('of locked', 'sourcePost'), 'null', 'a non-member does not see the private original of a repost');
select is(
  pg_temp.card('of locked', 'sourcePostId'), to_jsonb(tests.id('locked')), 'a non-member sees the id of the private original'
);
reset role;
delete from app.posts where id = tests.id('trams');
select tests.authenticate_as('maya');
select is(pg_temp.card('again', 'sourcePost'), 'null', 'a card of a repost shows no deleted original');
select is(
  pg_temp.card('again', 'sourcePostId'), to_jsonb(tests.id('trams')), 'a card of a repost keeps the id of a deleted original'
);

rollback to empty;

-- A card shows whether the viewer voted, and the distribution after their vote.
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.slider('trams', 'maya');
select tests.post('no slider', 'maya');
select tests.vote('jonas', 'trams', 'strong_left');
select tests.slider('bikes', 'maya');
select tests.vote('maya', 'bikes', 'neutral');

create function pg_temp.card()
returns jsonb
language sql
return (select card from app.post_cards(tests.ids('trams')));

select tests.authenticate_as('jonas');
select is(
  pg_temp.card() -> 'viewerVote', jsonb_build_object('hasVoted', true, 'votedAt', app.iso(date_trunc('minute', app.now()))),
  'a card shows a voter their own vote with its minute'
);
select is(jsonb_array_length(pg_temp.card() -> 'voteDistribution'), 5, 'a card shows a voter the five positions');
select is(pg_temp.card() #> '{voteSummary,totalVotes}', '1', 'a card counts the votes of its own post alone');
select tests.authenticate_as('maya');
select is(
  pg_temp.card() -> 'viewerVote', '{"hasVoted": false, "votedAt": null}', 'a card does not show the vote of another person'
);
select ok(not pg_temp.card() ? 'voteDistribution', 'a card shows no distribution before the vote of the viewer');
select tests.authenticate_as_guest();
select results_eq(
  $$
    select key, value from app.post_cards(tests.ids('no slider')), jsonb_each(card)
    where key in ('sliderText', 'slider', 'viewerVote', 'voteScope', 'voteSummary', 'voteDistribution')
    order by key
  $$,
  $$
    values
      ('slider', 'null'::jsonb), ('sliderText', 'null'), ('viewerVote', 'null'), ('voteScope', 'null'), ('voteSummary', 'null')
  $$,
  'a card without a slider has null in its vote fields'
);

rollback to empty;

-- A card shows the votes of one scope: everybody, or a Hub of the viewer.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'lena');
select tests.slider('locked', 'lena', 'private_locked_hub');
select tests.post('no slider', 'lena', 'private_locked_hub');
select tests.placement('trams', 'elm'), tests.placement('no slider', 'elm');
select tests.placement('locked', 'elm', app.now() - interval '1 hour'), tests.placement('locked', 'oak');
select tests.vote('jonas', 'trams', 'right'), tests.vote('lena', 'trams', 'left');
select tests.vote('maya', 'locked', 'neutral'), tests.vote('jonas', 'locked', 'left');

create function pg_temp.votes(p_post text, p_hub text default null)
returns text
language sql
as $$
  select format(
    '%s %s%s',
    coalesce(
      (select h.name from app.hubs as h where h.id = (c.card #>> '{voteScope,hubId}')::uuid), c.card #>> '{voteScope,type}'
    ),
    c.card #>> '{voteSummary,totalVotes}', ' of which left ' || (c.card #>> '{voteDistribution,1,count}')
  )
  from app.post_cards(tests.ids(p_post), tests.id(p_hub)) as c
$$;

select tests.authenticate_as('jonas');
select is(pg_temp.votes(post, hub), expected, title)
from (
  values
    ('trams', null, 'global 2 of which left 1', 'a card of a public post shows the votes of everybody'),
    ('trams', 'elm', 'elm 1 of which left 0', 'a card of a public post shows the votes of the requested Hub'),
    ('trams', 'oak', 'oak 0', 'a card shows no votes of a requested Hub without the post'),
    ('locked', null, 'elm 2 of which left 1', 'a card of a private post shows the votes of the first Hub of the viewer'),
    ('locked', 'oak', 'oak 1 of which left 1', 'a card of a private post shows the votes of the requested Hub')
) as c (post, hub, expected, title);
select is(
  (select card -> 'voteScope' from app.post_cards(tests.ids('no slider'), tests.id('elm'))), 'null',
  'a card without a slider has no vote scope'
);
select tests.authenticate_as('maya');
select is(pg_temp.votes('locked', 'oak'), 'oak 0', 'a card shows a non-member no votes of the requested Hub');
select tests.authenticate_as('lena');
select is(pg_temp.votes('locked'), 'global 0', 'a card shows no votes to an author outside the Hubs of their private post');
select tests.authenticate_as_guest();
select is(pg_temp.votes('trams'), 'global 2', 'a card of a public post shows a guest the votes of everybody');

rollback to empty;

-- post_detail permits actions by level, visibility and membership.
select tests.elm();
select tests.person('one', 1);
select tests.person('two', 2);
select tests.person('three', 3);
select tests.slider('trams', 'three');
select tests.post('no slider', 'three');
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placement('locked', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.slider('in two', 'jonas', 'private_locked_hub');
select tests.placement('in two', 'elm');
select tests.slider('in elm', 'jonas', 'public_hub');
select tests.placement('in elm', 'elm');

create function pg_temp.permissions(p_caller text, p_post text)
returns text[]
language plpgsql
as $$
declare
  v_permissions text[];
begin
  if p_caller is null then
    perform tests.authenticate_as_guest();
  else
    perform tests.authenticate_as(p_caller);
  end if;
  v_permissions := array(
    select permission.key
    from jsonb_each(api.get_post(tests.post_args(p_post)) -> 'permissions') as permission
    where permission.value <> 'false'
    order by permission.key
  );
  perform set_config('role', 'none', true);
  return v_permissions;
end
$$;

select is(pg_temp.permissions(caller, post), expected::text[], title)
from (
  values
    (null, 'trams', '{}', 'a public post permits a guest nothing but reading'),
    ('one', 'trams', '{}', 'a public post permits an anonymous user nothing but reading'),
    (
      'two', 'trams', '{canComment,canShareToFeed,canVote}',
      'a public post permits a registered user to vote, comment and share to their feed'
    ),
    (
      'three', 'trams', '{canComment,canDelete,canRepost,canShareToFeed,canVote}',
      'a public post permits its phone-confirmed author to repost and delete as well'
    ),
    (
      'lena', 'trams', '{canComment,canRepost,canShareToFeed,canShareToHubs,canVote}',
      'a public post permits a Hub-ready user to share to Hubs as well'
    ),
    ('lena', 'no slider', '{canComment,canRepost,canShareToFeed,canShareToHubs}', 'a post without a slider permits no vote'),
    ('maya', 'locked', '{canShareToFeed,canVote}', 'a private post of one Hub permits no comment, repost or share to Hubs'),
    (
      'maya', 'in two', '{canRepost,canShareToFeed,canShareToHubs,canVote}',
      'a private post of two Hubs permits reposts and shares to Hubs'
    ),
    (
      'maya', 'in elm', '{canComment,canRepost,canShareToFeed,canShareToHubs,canVote}',
      'a public post of a Hub permits comments as well'
    )
) as c (caller, post, expected, title);
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select is(
  pg_temp.permissions('jonas', 'in two'), '{canDelete,canShareToFeed}',
  'a private post permits an author below level 4 no vote and no repost'
);
update app.users set contacts_synced_at = app.now() where id = tests.id('jonas');
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select is(
  pg_temp.permissions('jonas', 'in two'), '{canDelete,canRepost,canShareToFeed,canShareToHubs}',
  'a private post permits no vote of an author outside its Hubs'
);
select tests.vote('three', 'trams', 'left'), tests.vote('maya', 'in two', 'left');
select is(pg_temp.permissions(caller, post), expected::text[], title)
from (
  values
    ('three', 'trams', '{canComment,canDelete,canRepost,canShareToFeed}', 'a public post permits no second vote of one person'),
    ('maya', 'in two', '{canRepost,canShareToFeed,canShareToHubs}', 'a private post permits no second vote of one member'),
    (
      'amara', 'in two', '{canRepost,canShareToFeed,canShareToHubs,canVote}',
      'a private post permits the vote of another member after the first'
    )
) as c (caller, post, expected, title);
select tests.authenticate_as('lena');
select is(tests.refusal('get_post', tests.post_args('locked')), 'POST_NOT_FOUND', 'a non-member finds no private post');

rollback to empty;

-- post_slider and source_card show parts of a post.
select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.post('bikes', 'maya');
update app.posts set is_shareable = false where id = tests.id('bikes');
select is(app.post_slider(p), expected, title)
from (
  values
    ('trams', '{"leftLabel": "Disagree", "rightLabel": "Agree"}'::jsonb, 'post_slider shows the labels of both sides'),
    ('bikes', null, 'post_slider of a post without a slider is null')
) as c (post, expected, title)
join app.posts as p on p.id = tests.id(c.post);
select is(
  app.source_card(p, '{"title": "Trams"}'),
  '{
    "article": {"title": "Trams"}, "thoughtText": null, "sliderText": "trams",
    "slider": {"leftLabel": "Disagree", "rightLabel": "Agree"}, "isShareable": true
  }',
  'source_card shows the article and the slider of an original'
)
from app.posts as p where p.id = tests.id('trams');
select is(
  app.source_card(p, null),
  '{"article": null, "thoughtText": "bikes", "sliderText": null, "slider": null, "isShareable": false}',
  'source_card shows the thought and the shareability of an original'
)
from app.posts as p where p.id = tests.id('bikes');
select is(app.source_card(null, '{}'), null, 'source_card without an original is null');

select * from finish();
rollback;
