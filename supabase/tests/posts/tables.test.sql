begin;
select plan(135);
savepoint empty;

-- Articles and their media are visible with their posts.
select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
select tests.asset(name, 'maya') from unnest(array['shown', 'locked', 'in a draft']) as name;
select tests.post_with_media('public post', 'maya', 'shown');
select tests.post_with_media('locked post', 'maya', 'locked');
update app.posts set visibility = 'private_locked_hub' where id = tests.id('locked post');
select tests.article('draft', 'maya');
select tests.add_article_media('draft', 'in a draft');

select tests.authenticate_as_guest();
select results_eq(
  'select title from app.articles', array['article of public post'], 'a guest sees the articles of public posts alone'
);
select results_eq('select asset_id from app.article_assets', tests.ids('shown'), 'a guest sees the media of public posts alone');
select tests.authenticate_as('jonas');
select results_eq(
  'select title from app.articles', array['article of public post'], 'a user sees the articles of visible posts alone'
);
select results_eq('select asset_id from app.article_assets', tests.ids('shown'), 'a user sees the media of visible posts alone');
select tests.authenticate_as('maya');
select set_eq(
  'select title from app.articles', array['article of public post', 'article of locked post', 'draft'],
  'an author sees all of their articles'
);
select is(count(*)::integer, 3, 'an author sees the media of all of their articles') from app.article_assets;
reset role;
select tests.block('maya', 'jonas');
select tests.authenticate_as('jonas');
select is_empty('select from app.article_assets', 'a blocked user sees no media of the author');
reset role;
delete from app.posts;
select tests.authenticate_as_guest();
select is_empty('select from app.articles', 'a guest sees no article without its post');

rollback to empty;

-- Authors alone write articles and their media.
select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
select tests.asset('picture', 'maya');
select tests.article('hers', 'maya');
select tests.asset(name, 'jonas') from unnest(array['his', 'his too']) as name;
select tests.post_with_media('seen', 'maya', 'picture');
select tests.article('of jonas', 'jonas');

select tests.authenticate_as('maya');
select lives_ok($$ select tests.add_article_media('hers', 'picture') $$, 'an author adds media to their article');
select lives_ok(
  $$ insert into app.articles (author_id, title) values (tests.id('maya'), 'Trams') $$, 'a user writes an article as its author'
);
select throws_ok(
  $$ insert into app.articles (author_id, title) values (tests.id('jonas'), 'Trams') $$,
  '42501', 'new row violates row-level security policy for table "articles"', 'a user cannot write an article for another author'
);
select throws_ok(
  $$ select tests.add_article_media('hers', 'his') $$, '42501', null,
  'an author cannot add media of another person to their article'
);
select tests.authenticate_as('jonas');
select throws_ok(
  $$ select tests.add_article_media('article of seen', 'his too') $$, '42501', null,
  'a user cannot add media to a visible article of another author'
);
select throws_ok(
  $$ insert into app.posts (author_id, article_id, visibility) values (tests.id('jonas'), tests.id('hers'), 'public') $$,
  '23503', 'insert or update on table "posts" violates foreign key constraint "posts_article_is_own"',
  'a user cannot publish the article of another author'
);
select is_empty(
  $$ select from app.articles where id = tests.id('hers') $$, 'a refused post does not reveal the article of another author'
);
reset role;
delete from app.posts;
select tests.authenticate_as('maya');
delete from app.articles;
reset role;
select results_eq('select title from app.articles', array['of jonas'], 'a user deletes only their own articles');

rollback to empty;

-- The constraints of article_assets limit and order media.
select tests.person('maya', 3);
select tests.asset(n::text, 'maya') from generate_series(0, 11) as n;
select tests.article('hers', 'maya');
select tests.article('other', 'maya');

select is(
  tests.violation_of(format(
    'insert into app.article_assets (article_id, place, asset_id) values (%L, %L, %L)', tests.id(article), place, tests.id(asset)
  )),
  violation, title
)
from (
  values
    ('hers', 0, '0', 'article_assets_place_is_within_limit', 'the places of media begin at 1'),
    ('hers', 11, '11', 'article_assets_place_is_within_limit', 'an article has at most 10 media'),
    ('hers', 10, '10', null, 'an article may have 10 media'),
    ('hers', 10, '1', 'article_assets_pkey', 'two media cannot have the same place'),
    ('hers', 1, '10', 'article_assets_are_distinct', 'an article shows an asset only once'),
    ('other', 1, '10', null, 'another article may show the same asset')
) as c (article, place, asset, violation, title);
select is(
  tests.violation_of('delete from app.assets'), 'article_assets_asset_id_fkey', 'an asset of an article cannot be deleted'
);

rollback to empty;

-- The constraints of articles limit their texts.
select tests.person('maya', 3);
select is(
  tests.violation_of(format('insert into app.articles (author_id, %I) values (%L, %L)', name, tests.id('maya'), value)),
  violation, title
)
from (
  values
    ('title', null, 'articles_have_content', 'an article must have a link, a title, a text or media'),
    ('url', 'javascript:alert(1)', 'articles_url_is_web', 'a link must begin with http or https'),
    ('url', E'javascript://\nhttps://example.com', 'articles_url_is_web', 'a link cannot hide its scheme before a line end'),
    ('url', 'https://example.com/' || repeat('a', 1981), 'articles_url_length', 'a link has at most 2000 characters'),
    ('title', '', 'articles_title_length', 'a title cannot be empty'),
    ('title', repeat('é', 301), 'articles_title_length', 'a title has at most 300 characters'),
    ('body', '', 'articles_body_length', 'an article text cannot be empty'),
    ('body', repeat('é', 10001), 'articles_body_length', 'an article text has at most 10000 characters'),
    ('url', 'HTTPS://example.com', null, 'the scheme of a link may be in capitals'),
    ('body', repeat('é', 10000), null, 'an article text is counted in characters, not bytes'),
    ('body', 'a', null, 'an article text may have one character'),
    ('title', 'a', null, 'a title may have one character'),
    ('media_count', '1', null, 'an article may consist of media alone')
) as c (name, value, violation, title);

rollback to empty;

-- Feed shares are written by the sharer and visible with their post.
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');

select is(
  tests.refusal_as(
    caller, format('insert into app.feed_shares (user_id, post_id) values (%L, %L)', tests.id(sharer), tests.id(post))
  ),
  expected, title
)
from (
  values
    ('maya', 'maya', 'trams', null, 'a user shares a public post to their feed'),
    ('maya', 'jonas', 'trams', '42501', 'a user cannot share a post to the feed of another person'),
    ('maya', 'maya', 'locked', null, 'a member shares a visible private post to their feed'),
    ('maya', 'maya', 'hidden', '42501', 'a user cannot share a hidden post to their feed'),
    ('lena', 'lena', 'trams', null, 'an author shares their own post to their feed')
) as c (caller, sharer, post, expected, title);
select tests.authenticate_as('maya');
update app.feed_shares set id = tests.id('other');
reset role;
select set_eq(
  $$ select user_id, post_id from app.feed_shares where id = tests.id('other') $$,
  $$ values (tests.id('maya'), tests.id('trams')), (tests.id('maya'), tests.id('locked')) $$,
  'a user renews only their own shares'
);
select is(
  tests.violation_of($$ insert into app.feed_shares (user_id, post_id) values (tests.id('maya'), tests.id('trams')) $$),
  'feed_shares_pkey', 'a user has one feed share of a post'
);
select tests.authenticate_as('jonas');
select bag_eq(
  'select post_id from app.feed_shares', tests.ids('trams', 'trams', 'locked'), 'a member sees the shares of posts that they see'
);
select tests.authenticate_as('lena');
select bag_eq('select post_id from app.feed_shares', tests.ids('trams', 'trams'), 'a non-member sees no share of a private post');
select tests.authenticate_as_guest();
select bag_eq('select post_id from app.feed_shares', tests.ids('trams', 'trams'), 'a guest sees the shares of public posts');
reset role;
select app.end_user(tests.id('maya'));
select tests.authenticate_as_guest();
select results_eq('select user_id from app.feed_shares', tests.ids('lena'), 'a guest sees no share of an ended account');
reset role;
delete from app.posts where id = tests.id('trams');
select results_eq('select post_id from app.feed_shares', tests.ids('locked'), 'deleting a post deletes its feed shares');

rollback to empty;

-- Members alone write placements.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('his', 'jonas');
select tests.post('his for two', 'jonas', 'private_locked_hub');
select tests.post('hers', 'lena', 'public_hub');
select tests.post('of maya', 'maya', 'private_locked_hub');
select tests.post('hidden', 'lena', 'private_locked_hub');
update app.posts set is_shareable = false where id = tests.id('of maya');

create function pg_temp.refusal(p_caller text, p_post text, p_kind text, p_by text, p_hub text)
returns text
language sql
return tests.refusal_as(p_caller, format(
  'insert into app.placements (post_id, hub_id, kind, placed_by) values (%L, %L, %L, %L)',
  tests.id(p_post), tests.id(p_hub), p_kind, tests.id(p_by)
));

select is(pg_temp.refusal(caller, post, kind, placed_by, hub), expected, title)
from (
  values
    ('jonas', 'his', 'targeted', 'jonas', 'elm', null, 'a member targets their Hub with their own post'),
    ('jonas', 'hers', 'targeted', 'jonas', 'elm', '42501', 'a member cannot target their Hub with the post of another author'),
    ('jonas', 'hers', 'shared', 'jonas', 'elm', null, 'a member shares the post of another author into their Hub'),
    ('jonas', 'his for two', 'shared', 'jonas', 'elm', null, 'a member shares their own post into their Hub'),
    ('jonas', 'hidden', 'shared', 'jonas', 'elm', '42501', 'a member cannot share a hidden post'),
    ('amara', 'hers', 'shared', 'jonas', 'elm', '42501', 'a member cannot place a post as another person'),
    ('amara', 'hers', 'shared', null, 'elm', '42501', 'a member cannot place a post as nobody'),
    ('jonas', 'his', 'targeted', 'jonas', 'ash', '42501', 'a non-member cannot target a Hub'),
    ('jonas', 'hers', 'shared', 'jonas', 'ash', '42501', 'a non-member cannot share into a Hub')
) as c (caller, post, kind, placed_by, hub, expected, title);
select tests.placement('of maya', 'elm');
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'maya');
select is(pg_temp.refusal(caller, 'of maya', 'shared', caller, hub), '42501', title)
from (
  values
    ('jonas', 'oak', 'a member cannot share a private post of one Hub into another Hub'),
    ('maya', 'fir', 'an author cannot share their private post of one Hub into another Hub')
) as c (caller, hub, title);
select set_eq(
  'select post_id, kind::text, placed_by, placed_at from app.placements where hub_id = tests.id(''elm'')',
  $$
    values
      (tests.id('his'), 'targeted', tests.id('jonas'), app.now()), (tests.id('hers'), 'shared', tests.id('jonas'), app.now()),
      (tests.id('his for two'), 'shared', tests.id('jonas'), app.now()),
      (tests.id('of maya'), 'targeted', tests.id('maya'), app.now())
  $$,
  'a placement records its kind, its author and its time'
);

rollback to empty;

-- Members alone see placements.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placement('trams', 'ash');

select tests.authenticate_as('maya');
select results_eq('select hub_id from app.placements', tests.ids('elm'), 'a member sees the placements in their Hubs alone');
select tests.authenticate_as('jonas');
select results_eq('select hub_id from app.placements', tests.ids('elm'), 'an author sees no placement in a Hub of others');
select tests.authenticate_as_guest();
select is_empty('select from app.placements', 'a guest sees no placement');
reset role;
delete from app.memberships where user_id = tests.id('maya');
select tests.authenticate_as('maya');
select is_empty('select from app.placements', 'a former member sees no placement');
reset role;
delete from app.posts;
select is_empty('select from app.discussions', 'deleting a placed post deletes its discussions');

rollback to empty;

-- A placement is unique in its Hub and deleted with its post or Hub.
select tests.elm();
select tests.person('ben', 4);
select tests.post('trams', 'jonas');
select tests.post('bikes', 'jonas');
select tests.placement('trams', 'elm', p_by => 'ben');
insert into app.placements (post_id, hub_id) values (tests.id('bikes'), tests.id('elm'));
select is(
  tests.violation_of(
    $$ insert into app.placements (post_id, hub_id, kind) values (tests.id('trams'), tests.id('elm'), 'shared') $$
  ),
  'placements_pkey', 'a post has one placement in a Hub'
);
select results_eq(
  $$ select kind::text, placed_at from app.placements where post_id = tests.id('bikes') $$, $$ values ('targeted', app.now()) $$,
  'a placement is targeted and of now by default'
);
delete from app.users where id = tests.id('ben');
select results_eq(
  $$ select placed_by from app.placements where post_id = tests.id('trams') $$, 'values (null::uuid)',
  'a placement stays when the account of its author is deleted'
);
delete from app.posts where id = tests.id('trams');
select results_eq('select post_id from app.placements', tests.ids('bikes'), 'deleting a post deletes its placements');
select tests.close_hub('elm');
delete from app.hubs where id = tests.id('elm');
select is_empty('select from app.placements', 'deleting a Hub deletes its placements');

rollback to empty;

-- Visibility decides who reads a post, and authorship who writes and deletes it.
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.post('public', 'maya', 'public');
select tests.post('public in a Hub', 'maya', 'public_hub');
select tests.post('locked in a Hub', 'maya', 'private_locked_hub');

select tests.authenticate_as_guest();
select set_eq('select thought_text from app.posts', array['public', 'public in a Hub'], 'a guest sees public posts alone');
select tests.authenticate_as('jonas');
select set_eq(
  'select thought_text from app.posts', array['public', 'public in a Hub'], 'a user sees public posts of others alone'
);
select tests.authenticate_as('maya');
select set_eq(
  'select thought_text from app.posts', array['public', 'public in a Hub', 'locked in a Hub'],
  'an author sees all of their own posts'
);
select throws_ok(
  $$ insert into app.posts (author_id, thought_text, visibility) values (tests.id('jonas'), 'Trams', 'public') $$,
  '42501', 'new row violates row-level security policy for table "posts"', 'a user cannot publish a post as another author'
);
reset role;
select tests.repost('again', 'jonas', 'public');
select is(
  tests.refusal_as('jonas', format(
    'insert into app.posts (author_id, source_post_id, thought_text, visibility) values (%L, %L, %L, %L)',
    tests.id('jonas'), tests.id(source), 'Mine', 'public'
  )),
  expected, title
)
from (
  values
    (null, null, 'a user publishes a post of their own'),
    ('public', null, 'a user reposts a visible post'),
    ('locked in a Hub', '42501', 'a user cannot repost a hidden post'),
    ('again', '42501', 'a user cannot repost a repost')
) as c (source, expected, title);
select tests.authenticate_as('maya');
select lives_ok('delete from app.posts', 'a user may run a deletion of all posts');
reset role;
select set_eq('select distinct author_id from app.posts', tests.ids('jonas'), 'a user deletes only their own posts');

rollback to empty;

-- The constraints of posts limit their texts.
select tests.person('maya', 3);
select tests.post('trams', 'maya');
select tests.article('about trams', 'maya');

select is(
  tests.violation_of(
    format('insert into app.posts (author_id, visibility, %s) values (%L, %L, %s)', columns, tests.id('maya'), 'public', given)
  ),
  violation, title
)
from (
  values
    ('thought_text', 'null', 'posts_have_content', 'a post must have an article, a thought or a slider'),
    ('slider_text', $$'Trams?'$$, 'posts_slider_is_whole', 'a slider must have labels'),
    ('thought_text, left_label', $$'Trams', 'No'$$, 'posts_slider_is_whole', 'a label must have a slider'),
    ('thought_text', $$''$$, 'posts_thought_text_length', 'a thought cannot be empty'),
    ('thought_text', $$'!'$$, null, 'a thought may have one character'),
    ('thought_text', $$repeat('é', 2000)$$, null, 'a thought may have 2000 characters, whatever their bytes'),
    ('thought_text', $$repeat('é', 2001)$$, 'posts_thought_text_length', 'a thought has at most 2000 characters'),
    ('slider_text, left_label, right_label', $$'?', '-', '+'$$, null, 'slider and labels may have one character each'),
    (
      'slider_text, left_label, right_label', $$repeat('é', 260), repeat('é', 40), repeat('é', 40)$$, null,
      'a slider may have 260 characters and each label 40, whatever their bytes'
    ),
    (
      'slider_text, left_label, right_label', $$repeat('é', 261), 'No', 'Yes'$$, 'posts_slider_text_length',
      'a slider has at most 260 characters'
    ),
    (
      'slider_text, left_label, right_label', $$'Trams?', repeat('é', 41), 'Yes'$$, 'posts_left_label_length',
      'a left label has at most 40 characters'
    ),
    (
      'slider_text, left_label, right_label', $$'Trams?', 'No', repeat('é', 41)$$, 'posts_right_label_length',
      'a right label has at most 40 characters'
    ),
    (
      'slider_text, left_label, right_label', $$'Trams?', 'No', ''$$, 'posts_right_label_length', 'a right label cannot be empty'
    ),
    (
      'source_post_id, article_id', $$tests.id('trams'), tests.id('about trams')$$, 'posts_reposts_have_no_article',
      'a repost cannot have an article of its own'
    ),
    ('source_post_id', $$tests.id('trams')$$, 'posts_have_content', 'a repost must have a thought or a slider'),
    ('source_post_id, thought_text', $$tests.id('trams'), 'Again'$$, null, 'a repost may have a thought alone')
) as c (columns, given, violation, title);
select is(
  tests.violation_of(format('update app.posts set %I = -1', name)), 'posts_counts_are_natural',
  format('the %s of a post cannot be negative', name)
)
from unnest(array['comment_count', 'repost_count', 'vote_count']) as name;

rollback to empty;

-- Members of a Hub see its private posts.
select tests.elm();
select tests.person(name, 4) from unnest(array['ben', 'tom']) as name;
select tests.hub('ash', 'ben');
select tests.hub('oak', 'tom');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placement('trams', 'ash');
select tests.discussion('bikes', 'tom', 'oak');

create function pg_temp.sees(p_name text)
returns boolean
language plpgsql
as $$
declare
  v_is_seen boolean;
begin
  perform tests.authenticate_as(p_name);
  v_is_seen := exists (select from app.posts as p where p.id = tests.id('trams'));
  perform set_config('role', 'none', true);
  return v_is_seen;
end
$$;

select is(pg_temp.sees(viewer), expected, title)
from (
  values
    ('maya', true, 'a member of the first Hub sees a private post'),
    ('ben', true, 'a member of the second Hub sees a private post'),
    ('lena', false, 'a user without a Hub does not see a private post'),
    ('tom', false, 'a member of another Hub does not see a private post')
) as c (viewer, expected, title);
select app.end_membership(tests.id('elm'), tests.id('jonas')), app.end_membership(tests.id('elm'), tests.id('maya'));
select ok(pg_temp.sees('jonas'), 'a former member sees their own private post');
select ok(not pg_temp.sees('maya'), 'a former member does not see the private post of another author');
select tests.block('ben', 'jonas');
select ok(not pg_temp.sees('ben'), 'a member who blocks the author does not see their private post');
select ok(pg_temp.sees('amara'), 'a member sees a private post whose author another member blocks');
select app.end_user(tests.id('jonas'));
select ok(not pg_temp.sees('amara'), 'a member does not see the private post of an ended account');

rollback to empty;

-- Posts of a merged account are visible as soon as they are moved.
select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.post('trams', 'lena');
select app.merge_user(tests.id('lena'), tests.id('maya'));
select tests.authenticate_as_guest();
select results_eq('select id from app.posts', tests.ids('trams'), 'a guest sees a post that a merge has moved');
reset role;
select tests.post('late', 'lena');
select tests.authenticate_as_guest();
select results_eq('select id from app.posts', tests.ids('trams'), 'a guest does not see a post that a merge has not moved yet');

rollback to empty;

-- Posts of an ended account are hidden from everybody else.
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.article('shown', 'maya');
insert into app.posts (author_id, article_id, visibility) values (tests.id('maya'), tests.id('shown'), 'public');
select tests.slider('trams', 'maya');
select tests.vote('jonas', 'trams', 'left');
select tests.slider('bikes', 'jonas');
select app.end_user(tests.id('maya'));

select tests.authenticate_as_guest();
select results_eq('select id from app.posts', tests.ids('bikes'), 'a guest sees no post of an ended account');
select is_empty('select from app.articles', 'a guest sees no article of an ended account');
select tests.authenticate_as('jonas');
select results_eq('select id from app.posts', tests.ids('bikes'), 'a user sees no post of an ended account');
select throws_ok(
  $$ select api.get_post(tests.post_args('trams')) $$, 'PT404', 'POST_NOT_FOUND', 'get_post finds no post of an ended account'
);
select throws_ok(
  $$ select app.require_slider(tests.id('trams')) $$, 'PT404', 'POST_NOT_FOUND', 'a post of an ended account accepts no vote'
);
select is_empty($$ select from app.post_cards(tests.ids('trams')) $$, 'post_cards leaves out posts of an ended account');
-- A request of the author may be under way still, and answers what it has written.
select tests.authenticate_as('maya');
select isnt_empty(
  $$ select from app.posts where author_id = tests.id('maya') $$, 'an author with an ended account sees their own posts'
);

rollback to empty;

-- A blocked pair does not see each other's posts.
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.slider('hers', 'maya');
select tests.slider('his', 'jonas');
select tests.article('her article', 'maya');
insert into app.posts (author_id, article_id, visibility) values (tests.id('maya'), tests.id('her article'), 'public_hub');
select tests.block('maya', 'jonas');

select tests.authenticate_as('jonas');
select set_eq('select id from app.posts', tests.ids('his'), 'a blocked user sees no post of the blocker');
select is_empty('select from app.articles', 'a blocked user sees no article of the blocker');
select throws_ok(
  $$ select app.require_slider(tests.id('hers')) $$, 'PT404', 'POST_NOT_FOUND',
  'a blocked user cannot vote on a post of the blocker'
);
select tests.authenticate_as('maya');
select is_empty($$ select from app.posts where author_id = tests.id('jonas') $$, 'a blocker sees no post of the blocked user');
select is(count(*)::integer, 2, 'a blocker sees all of their own posts') from app.posts;
select tests.authenticate_as('lena');
select is(count(*)::integer, 3, 'a third user sees the posts of both users of a blocked pair') from app.posts;
select tests.authenticate_as_guest();
select is(count(*)::integer, 3, 'a guest sees the posts of both users of a blocked pair') from app.posts;

rollback to empty;

-- Saved posts are private to the user who saves them.
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');

select is(
  tests.refusal_as(
    caller, format('insert into app.saved_posts (user_id, post_id) values (%L, %L)', tests.id(saver), tests.id(post))
  ),
  expected, title
)
from (
  values
    ('maya', 'maya', 'trams', null, 'a user saves a public post'),
    ('maya', 'jonas', 'trams', '42501', 'a user cannot save a post for another person'),
    ('maya', 'maya', 'locked', null, 'a member saves a visible private post'),
    ('maya', 'maya', 'hidden', '42501', 'a user cannot save a hidden post'),
    ('jonas', 'jonas', 'trams', null, 'a second user saves the same post')
) as c (caller, saver, post, expected, title);
select tests.authenticate_as('jonas');
select results_eq('select user_id from app.saved_posts', tests.ids('jonas'), 'a user sees only their own saved posts');
delete from app.saved_posts;
reset role;
select set_eq(
  'select user_id, post_id, saved_at from app.saved_posts',
  $$ select tests.id('maya'), post, app.now() from unnest(tests.ids('trams', 'locked')) as post $$,
  'a user unsaves only their own saved posts'
);
select is(
  tests.violation_of('insert into app.saved_posts select * from app.saved_posts'), 'saved_posts_pkey',
  'a user saves a post only once'
);
select tests.authenticate_as_guest();
select is_empty('select from app.saved_posts', 'a guest sees no saved post');
reset role;
delete from app.posts where id = tests.id('trams');
select results_eq('select post_id from app.saved_posts', tests.ids('locked'), 'deleting a post deletes its saved entries');

rollback to empty;

-- Score changes know their transaction.
select tests.person('maya');
select tests.post('trams', 'maya');
insert into app.score_changes (post_id) values (tests.id('trams'));
select is(changed_by, pg_current_xact_id(), 'a score change records its transaction') from app.score_changes;

select * from finish();
rollback;
