begin;
select plan(171);
savepoint empty;

-- article_assets: are seen with their article
select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
select tests.asset(name, 'maya') from unnest(array['shown', 'locked', 'in a draft']) as name;
select tests.illustrated_post('public post', 'maya', 'shown');
select tests.illustrated_post('locked post', 'maya', 'locked');
update app.posts set visibility = 'private_locked_hub' where id = tests.id('locked post');
select tests.article('draft', 'maya');
select tests.illustrate('draft', 'in a draft');

select tests.authenticate_as_guest();
select results_eq('select asset_id from app.article_assets', array[tests.id('shown')], 'a guest sees those of public posts');
select tests.authenticate_as('jonas');
select results_eq('select asset_id from app.article_assets', array[tests.id('shown')], 'and so does a member');
select tests.authenticate_as('maya');
select is(count(*)::integer, 3, 'an author sees all of their own') from app.article_assets;
reset role;
select tests.block('maya', 'jonas');
select tests.authenticate_as('jonas');
select is_empty('select from app.article_assets', 'whoever is blocked sees none');

rollback to empty;

-- article_assets: are written by their author
select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
select tests.asset('picture', 'maya');
select tests.article('hers', 'maya');

select tests.authenticate_as('maya');
select lives_ok($$ select tests.illustrate('hers', 'picture') $$, 'an author gives an article its media');
select throws_ok('update app.article_assets set place = 2', '42501', null, 'which stay as they are');
select throws_ok('delete from app.article_assets', '42501', null, 'as long as there is the article');
reset role;
delete from app.article_assets;
select tests.asset(name, 'jonas') from unnest(array['his', 'his too']) as name;
select tests.illustrated_post('seen', 'maya', 'his');
select tests.article('own', 'jonas');
select tests.authenticate_as('jonas');
select throws_ok($$ select tests.illustrate('article of seen', 'his too') $$, '42501', null, 'nobody gives any to another''s, even where they see it');
select tests.authenticate_as_guest();
select throws_ok($$ select tests.illustrate('hers', 'picture') $$, '42501', null, 'a guest gives none');
select throws_ok('delete from app.article_assets', '42501', null, 'and takes none');

rollback to empty;

-- article_assets: hold to their rules
select tests.person('maya', 3);
select tests.asset(n::text, 'maya') from generate_series(0, 11) as n;
select tests.article('hers', 'maya');
select tests.article('other', 'maya');

create function pg_temp.violation(p_after integer, p_asset text, p_article text default 'hers')
returns text
language sql
return tests.violation_of(format(
  'insert into app.article_assets (article_id, place, asset_id) values (%L, %L, %L)', tests.id(p_article), p_after, tests.id(p_asset)
));

select is(pg_temp.violation(0, '0'), 'article_assets_place_is_within_limit', 'places begin at one');
select is(pg_temp.violation(11, '11'), 'article_assets_place_is_within_limit', 'an article has ten at most');
select is(pg_temp.violation(10, '10'), null, 'ten it may have');
select is(pg_temp.violation(10, '1'), 'article_assets_pkey', 'each in a place of its own');
select is(pg_temp.violation(1, '10'), 'article_assets_are_distinct', 'and each once');
select is(pg_temp.violation(1, '10', 'other'), null, 'another article may have the same');
select is(tests.violation_of('delete from app.assets'), 'article_assets_asset_id_fkey', 'what an article shows is not deleted');

rollback to empty;

-- articles: are seen with their post
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.article('shown', 'maya');
select tests.article('locked', 'maya');
select tests.article('draft', 'maya');
insert into app.posts (author_id, article_id, visibility)
values
  (tests.id('maya'), tests.id('shown'), 'public'),
  (tests.id('maya'), tests.id('locked'), 'private_locked_hub');

select tests.authenticate_as_guest();
select set_eq('select title from app.articles', array['shown'], 'a guest sees the articles of public posts');
select tests.authenticate_as('jonas');
select set_eq('select title from app.articles', array['shown'], 'and so does a member');
select tests.authenticate_as('maya');
select set_eq('select title from app.articles', array['shown', 'locked', 'draft'], 'an author sees all of their own');
delete from app.posts;
select tests.authenticate_as_guest();
select is_empty('select from app.articles', 'an article is gone with its posts');

rollback to empty;

-- articles: are written by their author
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.article('of jonas', 'jonas');
select tests.authenticate_as('maya');
select lives_ok($$ insert into app.articles (author_id, title) values (tests.id('maya'), 'Trams') $$, 'one writes as oneself');
select throws_ok(
  $$ insert into app.articles (author_id, title) values (tests.id('jonas'), 'Trams') $$,
  '42501', 'new row violates row-level security policy for table "articles"', 'and as nobody else'
);
select throws_ok($$ update app.articles set title = 'Bikes' $$, '42501', null, 'nobody changes an article');
delete from app.articles;
reset role;
select results_eq('select title from app.articles', array['of jonas'], 'one deletes one''s own');
select tests.authenticate_as_guest();
select throws_ok(
  $$ insert into app.articles (author_id, title) values (tests.id('maya'), 'Trams') $$, '42501', null, 'a guest writes none'
);

rollback to empty;

-- articles: hold to their rules
select tests.person('maya', 3);

create function pg_temp.write(p_column text, p_value text)
returns text
language sql
return tests.violation_of(format('insert into app.articles (author_id, %I) values (tests.id(%L), %L)', p_column, 'maya', p_value));

select is(pg_temp.write('title', null), 'articles_have_content', 'an article says something');
select is(pg_temp.write('url', 'javascript:alert(1)'), 'articles_url_is_web', 'a link leads into the web');
select is(pg_temp.write('url', E'javascript://\nhttps://example.com'), 'articles_url_is_web', 'from its first character');
select is(pg_temp.write('url', 'https://example.com/' || repeat('a', 1981)), 'articles_url_length', 'a link has 2000 characters at most');
select is(pg_temp.write('title', ''), 'articles_title_length', 'an empty title is none');
select is(pg_temp.write('title', repeat('é', 301)), 'articles_title_length', 'a title has 300 at most');
select is(pg_temp.write('body', ''), 'articles_body_length', 'an empty text is none');
select is(pg_temp.write('body', repeat('é', 10001)), 'articles_body_length', 'a text has 10000 at most');
select is(pg_temp.write('url', 'HTTPS://example.com'), null, 'a scheme may be in capitals');
select is(pg_temp.write('body', repeat('é', 10000)), null, 'characters count, not bytes');
select is(pg_temp.write('body', 'a'), null, 'one is enough');
select is(pg_temp.write('title', 'a'), null, 'for a title as well');
select is(
  tests.violation_of($$ insert into app.articles (author_id, media_count) values (tests.id('maya'), 1) $$), null, 'a picture says something'
);

rollback to empty;

-- feed_shares: are made by who sees the post
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');

create function pg_temp.share(p_caller text, p_user text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('insert into app.feed_shares (user_id, post_id) values (%L, %L)', tests.id(p_user), tests.id(p_post)));

select is(pg_temp.share('maya', 'maya', 'trams'), null, 'one shares for oneself');
select is(pg_temp.share('maya', 'jonas', 'trams'), '42501', 'and for nobody else');
select is(pg_temp.share('maya', 'maya', 'locked'), null, 'what one sees');
select is(pg_temp.share('maya', 'maya', 'hidden'), '42501', 'and nothing else');
select is(pg_temp.share('lena', 'lena', 'trams'), null, 'one''s own as well');
select is(pg_temp.share(null, 'maya', 'trams'), '42501', 'guests share nothing');
select tests.authenticate_as('maya');
update app.feed_shares set id = tests.id('other');
reset role;
select set_eq(
  $$ select user_id, post_id from app.feed_shares where id = tests.id('other') $$,
  $$ values (tests.id('maya'), tests.id('trams')), (tests.id('maya'), tests.id('locked')) $$, 'one shares again what one has shared oneself'
);
select is_empty($$ select tests.who_may('insert into app.feed_shares (user_id, post_id, shared_at) values (null, null, null)') $$, 'now');
select is_empty($$ select tests.who_may('update app.feed_shares set shared_at = shared_at') $$, 'and at no other time');
select is_empty($$ select tests.who_may('update app.feed_shares set post_id = post_id') $$, 'the same post');
select is_empty($$ select tests.who_may('update app.feed_shares set user_id = user_id') $$, 'oneself');
select is_empty($$ select tests.who_may('delete from app.feed_shares') $$, 'nobody takes one back');
select is(
  tests.violation_of($$ insert into app.feed_shares (user_id, post_id) values (tests.id('maya'), tests.id('trams')) $$), 'feed_shares_pkey', 'each post is there once'
);
select tests.authenticate_as('jonas');
select bag_eq('select post_id from app.feed_shares', tests.ids('trams', 'trams', 'locked'), 'others see shares of posts that they see');
select tests.authenticate_as('lena');
select bag_eq('select post_id from app.feed_shares', tests.ids('trams', 'trams'), 'alone');
select tests.authenticate_as_guest();
select bag_eq('select post_id from app.feed_shares', tests.ids('trams', 'trams'), 'guests too');
reset role;
select app.end_user(tests.id('maya'));
select tests.authenticate_as_guest();
select results_eq('select user_id from app.feed_shares', tests.ids('lena'), 'but not those of an ended account');
reset role;
delete from app.posts where id = tests.id('trams');
select results_eq('select post_id from app.feed_shares', tests.ids('locked'), 'one goes with its post');

rollback to empty;

-- placements: are made by members
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('his', 'jonas');
select tests.post('his for two', 'jonas', 'private_locked_hub');
select tests.post('hers', 'lena', 'public_hub');
select tests.post('of maya', 'maya', 'private_locked_hub');
select tests.post('hidden', 'lena', 'private_locked_hub');
update app.posts set is_shareable = false where id = tests.id('of maya');

create function pg_temp.place(p_caller text, p_post text, p_kind text, p_by text default 'jonas', p_hub text default 'elm')
returns text
language sql
return tests.refusal_of(p_caller, format(
  'insert into app.placements (post_id, hub_id, kind, placed_by) values (%L, %L, %L, %L)', tests.id(p_post), tests.id(p_hub), p_kind, tests.id(p_by)
));

select is(pg_temp.place('jonas', 'his', 'targeted'), null, 'a member targets with their own posts');
select is(pg_temp.place('jonas', 'hers', 'targeted'), '42501', 'and with no other');
select is(pg_temp.place('jonas', 'hers', 'shared'), null, 'which they share');
select is(pg_temp.place('jonas', 'his for two', 'shared'), null, 'as they may their own');
select is(pg_temp.place('jonas', 'hidden', 'shared'), '42501', 'as far as they see them');
select is(pg_temp.place('amara', 'hers', 'shared', 'jonas'), '42501', 'nobody places anything as somebody else');
select is(pg_temp.place('amara', 'hers', 'shared', null), '42501', 'or as nobody');
select is(pg_temp.place('jonas', 'his', 'targeted', 'jonas', 'ash'), '42501', 'or in a Hub of others');
select is(pg_temp.place('jonas', 'hers', 'shared', 'jonas', 'ash'), '42501', 'or shares into one');
select tests.placed('of maya', 'elm');
select tests.hub('oak', 'jonas');
select is(pg_temp.place('jonas', 'of maya', 'shared', 'jonas', 'oak'), '42501', 'what is for one Hub stays in it');
select tests.hub('fir', 'maya');
select is(pg_temp.place('maya', 'of maya', 'shared', 'maya', 'fir'), '42501', 'even its author shares it no further');
select is(pg_temp.place(null, 'his', 'targeted'), '42501', 'guests place nothing');
select is_empty(
  $$ select tests.who_may('insert into app.placements (post_id, hub_id, placed_at) values (null, null, null)') $$, 'nobody says when'
);
select is_empty($$ select tests.who_may('select placed_by from app.placements') $$, 'or reads who it was');
select is_empty($$ select tests.who_may('update app.placements set kind = kind') $$, 'nobody changes one');
select is_empty($$ select tests.who_may('delete from app.placements') $$, 'or takes it back');
select set_eq(
  'select post_id, kind::text, placed_by, placed_at from app.placements where hub_id = tests.id(''elm'')',
  $$
    values
      (tests.id('his'), 'targeted', tests.id('jonas'), app.now()), (tests.id('hers'), 'shared', tests.id('jonas'), app.now()),
      (tests.id('his for two'), 'shared', tests.id('jonas'), app.now()), (tests.id('of maya'), 'targeted', tests.id('maya'), app.now())
  $$,
  'each says how it came and when'
);

rollback to empty;

-- placements: are seen by members
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');

select tests.authenticate_as('maya');
select results_eq('select hub_id from app.placements', tests.ids('elm'), 'those in one''s Hubs');
select tests.authenticate_as('jonas');
select results_eq('select hub_id from app.placements', tests.ids('elm'), 'the author sees no other');
select tests.authenticate_as_guest();
select is_empty('select from app.placements', 'guests see none');
reset role;
delete from app.memberships where user_id = tests.id('maya');
select tests.authenticate_as('maya');
select is_empty('select from app.placements', 'nor does who has left');
reset role;
delete from app.posts;
select is_empty('select from app.discussions', 'what is said about one goes with it');

rollback to empty;

-- placements: hold to their rules
select tests.elm();
select tests.person('ben', 4);
select tests.post('trams', 'jonas');
select tests.post('bikes', 'jonas');
select tests.placed('trams', 'elm', p_by => 'ben');
insert into app.placements (post_id, hub_id) values (tests.id('bikes'), tests.id('elm'));
select is(
  tests.violation_of($$ insert into app.placements (post_id, hub_id, kind) values (tests.id('trams'), tests.id('elm'), 'shared') $$),
  'placements_pkey', 'a post is in a Hub once'
);
select results_eq(
  $$ select kind::text, placed_at from app.placements where post_id = tests.id('bikes') $$, $$ values ('targeted', app.now()) $$, 'it is meant for it unless it is shared'
);
delete from app.users where id = tests.id('ben');
select results_eq(
  $$ select placed_by from app.placements where post_id = tests.id('trams') $$, 'values (null::uuid)', 'it stays when whoever did it is gone'
);
delete from app.posts where id = tests.id('trams');
select results_eq('select post_id from app.placements', tests.ids('bikes'), 'and goes with the post');
select tests.close_hub('elm');
delete from app.hubs where id = tests.id('elm');
select is_empty('select from app.placements', 'or the Hub');

rollback to empty;

-- posts: are changed by nobody
select tests.person('maya', 3);
select tests.post('trams', 'maya');
select tests.authenticate_as('maya');
select throws_ok($$ update app.posts set thought_text = 'Bikes' $$, '42501', null, 'what people voted on stays as it was');
select tests.authenticate_as_guest();
select throws_ok($$ update app.posts set thought_text = 'Bikes' $$, '42501', null, 'for guests too');

rollback to empty;

-- posts: are deleted by their author
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.post('trams', 'maya');
select tests.post('bikes', 'jonas');
select tests.authenticate_as('maya');
select lives_ok('delete from app.posts', 'one may delete posts');
select results_eq('select thought_text from app.posts', array['bikes'], 'one''s own');
select tests.authenticate_as_guest();
select throws_ok('delete from app.posts', '42501', null, 'a guest deletes none');

rollback to empty;

-- posts: are seen by visibility
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.post('public', 'maya', 'public');
select tests.post('public in a Hub', 'maya', 'public_hub');
select tests.post('locked in a Hub', 'maya', 'private_locked_hub');

select tests.authenticate_as_guest();
select set_eq('select thought_text from app.posts', array['public', 'public in a Hub'], 'a guest sees public posts');
select tests.authenticate_as('jonas');
select set_eq('select thought_text from app.posts', array['public', 'public in a Hub'], 'and so does a member');
select tests.authenticate_as('maya');
select set_eq(
  'select thought_text from app.posts', array['public', 'public in a Hub', 'locked in a Hub'], 'an author sees all of their own'
);

rollback to empty;

-- posts: are written by their author
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.authenticate_as('maya');
select lives_ok(
  $$ insert into app.posts (author_id, thought_text, visibility) values (tests.id('maya'), 'Trams', 'public') $$, 'one posts as oneself'
);
select throws_ok(
  $$ insert into app.posts (author_id, thought_text, visibility) values (tests.id('jonas'), 'Trams', 'public') $$,
  '42501', 'new row violates row-level security policy for table "posts"', 'and as nobody else'
);
select throws_ok(
  $$ insert into app.posts (author_id, thought_text, visibility, created_at) values (tests.id('maya'), 'Trams', 'public', 'infinity') $$,
  '42501', null, 'nor at another time'
);
select throws_ok(
  format('insert into app.posts (author_id, thought_text, visibility, %s) values (%L, %L, %L, default)', kept, tests.id('maya'), 'Trams', 'public'),
  '42501', null, 'nor with a ' || kept || ' of one''s choice'
)
from unnest(array['id', 'comment_count', 'repost_count', 'vote_count']) as kept;
reset role;
select tests.post('trams', 'jonas');
select tests.repost('again', 'jonas', 'trams');
select tests.post('hidden', 'jonas', 'private_locked_hub');
create function pg_temp.repost(p_source text)
returns text
language sql
return tests.refusal_of('maya', format(
  'insert into app.posts (author_id, source_post_id, thought_text, visibility) values (%L, %L, %L, %L)', tests.id('maya'), tests.id(p_source), 'Mine', 'public'
));
select is(pg_temp.repost('trams'), null, 'one reposts what one sees');
select is(pg_temp.repost('hidden'), '42501', 'and nothing else');
select is(pg_temp.repost('again'), '42501', 'nor a repost');
select tests.authenticate_as_guest();
select throws_ok(
  $$ insert into app.posts (author_id, thought_text, visibility) values (tests.id('maya'), 'Trams', 'public') $$,
  '42501', null, 'a guest posts nothing'
);

rollback to empty;

-- posts: hold to their rules
select tests.person('maya', 3);

create function pg_temp.post(p_columns text, p_values text)
returns text
language sql
return tests.violation_of(
  format('insert into app.posts (author_id, visibility, %s) values (tests.id(%L), %L, %s)', p_columns, 'maya', 'public', p_values)
);

select is(pg_temp.post('thought_text', 'null'), 'posts_have_content', 'a post says something');
select is(pg_temp.post('slider_text', $$'Trams?'$$), 'posts_slider_is_whole', 'a slider has labels');
select is(pg_temp.post('thought_text, left_label', $$'Trams', 'No'$$), 'posts_slider_is_whole', 'and labels have a slider');
select is(pg_temp.post('thought_text', $$''$$), 'posts_thought_text_length', 'an empty thought is none');
select is(pg_temp.post('thought_text', $$repeat('é', 2001)$$), 'posts_thought_text_length', 'a thought has 2000 characters at most');
select is(
  pg_temp.post('slider_text, left_label, right_label', $$repeat('é', 261), 'No', 'Yes'$$), 'posts_slider_text_length',
  'a slider''s text has 260 at most'
);
select is(
  pg_temp.post('slider_text, left_label, right_label', $$'Trams?', repeat('é', 41), 'Yes'$$), 'posts_left_label_length',
  'its left label has 40'
);
select is(
  pg_temp.post('slider_text, left_label, right_label', $$'Trams?', 'No', ''$$), 'posts_right_label_length',
  'and the right one is not empty'
);
select is(pg_temp.post('thought_text', $$repeat('é', 2000)$$), null, 'characters count, not bytes');
select is(
  pg_temp.post('slider_text, left_label, right_label', $$repeat('é', 260), repeat('é', 40), repeat('é', 40)$$), null,
  'in a slider as well'
);
select is(
  pg_temp.post('slider_text, left_label, right_label', $$'?', '-', '+'$$), null, 'one character is enough for each'
);
select is(pg_temp.post('thought_text', $$'!'$$), null, 'and for a thought');
select is(
  pg_temp.post('slider_text, left_label, right_label', $$'Trams?', 'No', repeat('é', 41)$$), 'posts_right_label_length', 'the right label has 40 as well'
);

select tests.post('trams', 'maya');
select tests.article('about trams', 'maya');
select is(
  pg_temp.post('source_post_id, article_id', $$tests.id('trams'), tests.id('about trams')$$), 'posts_reposts_have_no_article', 'a repost has no article of its own'
);
select is(pg_temp.post('source_post_id, thought_text', $$tests.id('trams'), 'Again'$$), null, 'but says something');
select is(pg_temp.post('source_post_id', $$tests.id('trams')$$), 'posts_have_content', 'of its own');
select is(tests.violation_of('update app.posts set comment_count = -1'), 'posts_counts_are_natural', 'there are no less than no comments');
select is(tests.violation_of('update app.posts set repost_count = -1'), 'posts_counts_are_natural', 'or reposts');

rollback to empty;

-- posts: in hubs are seen by their members
select tests.elm();
select tests.person(name, 4) from unnest(array['ben', 'tom']) as name;
select tests.hub('ash', 'ben');
select tests.hub('oak', 'tom');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');
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

select ok(pg_temp.sees('maya'), 'of one of them');
select ok(pg_temp.sees('ben'), 'or another');
select ok(not pg_temp.sees('lena'), 'an outsider does not see them');
select ok(not pg_temp.sees('tom'), 'a member of another Hub neither');
select app.end_membership(tests.id('elm'), tests.id('jonas')), app.end_membership(tests.id('elm'), tests.id('maya'));
select ok(pg_temp.sees('jonas'), 'who has left sees their own');
select ok(not pg_temp.sees('maya'), 'and no other''s');
select tests.block('ben', 'jonas');
select ok(not pg_temp.sees('ben'), 'people with a block between them see nothing of each other');
select ok(pg_temp.sees('amara'), 'by them alone');
select app.end_user(tests.id('jonas'));
select ok(not pg_temp.sees('amara'), 'what is of an ended account nobody sees');

rollback to empty;

-- posts: of a merged account are seen
select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.post('trams', 'lena');
select app.merge_user(tests.id('lena'), tests.id('maya'));
select tests.authenticate_as_guest();
select results_eq('select id from app.posts', array[tests.id('trams')], 'what has moved to another account is not hidden');
reset role;
select tests.post('late', 'lena');
select tests.authenticate_as_guest();
select results_eq('select id from app.posts', array[tests.id('trams')], 'what has not moved yet is, as long as it is nobody''s');

rollback to empty;

-- posts: of departed authors are hidden
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.article('shown', 'maya');
insert into app.posts (author_id, article_id, visibility) values (tests.id('maya'), tests.id('shown'), 'public');
select tests.slider('trams', 'maya');
select tests.vote('jonas', 'trams', 'left');
select tests.slider('bikes', 'jonas');
select app.end_user(tests.id('maya'));

select tests.authenticate_as_guest();
select results_eq('select id from app.posts', array[tests.id('bikes')], 'a guest sees no post of an ended account');
select is_empty('select from app.articles', 'nor its articles');
select tests.authenticate_as('jonas');
select results_eq('select id from app.posts', array[tests.id('bikes')], 'nor does a member');
select throws_ok($$ select api.get_post(tests.arguments('trams')) $$, 'PT404', 'POST_NOT_FOUND', 'it is not found');
select throws_ok($$ select app.require_slider(tests.id('trams')) $$, 'PT404', 'POST_NOT_FOUND', 'and takes no vote');
select is_empty($$ select from app.post_cards(array[tests.id('trams')]) $$, 'no list shows it');
-- A request of theirs may be under way still, and answers what it has made.
select tests.authenticate_as('maya');
select isnt_empty($$ select from app.posts where author_id = tests.id('maya') $$, 'its author alone does');

rollback to empty;

-- posts: of estranged authors are hidden
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.slider('hers', 'maya');
select tests.slider('his', 'jonas');
select tests.article('her article', 'maya');
insert into app.posts (author_id, article_id, visibility) values (tests.id('maya'), tests.id('her article'), 'public_hub');
select tests.block('maya', 'jonas');

select tests.authenticate_as('jonas');
select set_eq('select id from app.posts', array[tests.id('his')], 'whoever is blocked sees none of who has blocked them');
select is_empty('select from app.articles', 'nor what they are about');
select is(
  tests.error_of($$ select app.require_slider(tests.id('hers')) $$) ->> 'code', 'POST_NOT_FOUND', 'and cannot vote on them'
);
select tests.authenticate_as('maya');
select is_empty($$ select from app.posts where author_id = tests.id('jonas') $$, 'who has blocked sees none of theirs');
select is(count(*)::integer, 2, 'but all of their own') from app.posts;
select tests.authenticate_as('lena');
select is(count(*)::integer, 3, 'others see both') from app.posts;
select tests.authenticate_as_guest();
select is(count(*)::integer, 3, 'as do guests') from app.posts;

rollback to empty;

-- posts: show no article of others
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.article('draft', 'maya');
select tests.authenticate_as('jonas');
select throws_ok(
  $$ insert into app.posts (author_id, article_id, visibility) values (tests.id('jonas'), tests.id('draft'), 'public') $$,
  '23503', 'insert or update on table "posts" violates foreign key constraint "posts_article_is_own"',
  'nobody posts the article of somebody else'
);
select is_empty('select from app.articles', 'a post makes nobody else''s article readable');

rollback to empty;

-- saved_posts: are ones own
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');

create function pg_temp.save(p_caller text, p_user text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('insert into app.saved_posts (user_id, post_id) values (%L, %L)', tests.id(p_user), tests.id(p_post)));

select is(pg_temp.save('maya', 'maya', 'trams'), null, 'one saves for oneself');
select is(pg_temp.save('maya', 'jonas', 'trams'), '42501', 'and for nobody else');
select is(pg_temp.save('maya', 'maya', 'locked'), null, 'what one sees');
select is(pg_temp.save('maya', 'maya', 'hidden'), '42501', 'and nothing else');
select is(pg_temp.save('jonas', 'jonas', 'trams'), null, 'as does anybody');
select is(pg_temp.save(null, 'maya', 'trams'), '42501', 'but guests');
select tests.authenticate_as('jonas');
select results_eq('select user_id from app.saved_posts', tests.ids('jonas'), 'each sees their own');
delete from app.saved_posts;
reset role;
select set_eq(
  'select user_id, post_id, saved_at from app.saved_posts', $$ select tests.id('maya'), post, app.now() from unnest(tests.ids('trams', 'locked')) as post $$,
  'and removes no other'
);
select is(tests.violation_of('insert into app.saved_posts select * from app.saved_posts'), 'saved_posts_pkey', 'each is saved once');
select is_empty($$ select tests.who_may('insert into app.saved_posts (user_id, post_id, saved_at) values (null, null, null)') $$, 'nobody says when');
select is_empty($$ select tests.who_may('update app.saved_posts set saved_at = saved_at') $$, 'or changes that');
select set_eq($$ select tests.who_may('delete from app.saved_posts') $$, array['authenticated'], 'members forget');
select tests.authenticate_as_guest();
select is_empty('select from app.saved_posts', 'guests have saved none');
reset role;
delete from app.posts where id = tests.id('trams');
select results_eq('select post_id from app.saved_posts', tests.ids('locked'), 'what is gone is saved no more');

rollback to empty;

-- score_changes: are reached by no role
select tests.person('maya');
select tests.post('trams', 'maya');
insert into app.score_changes (post_id) values (tests.id('trams'));
select is(changed_by, pg_current_xact_id(), 'a change names its transaction') from app.score_changes;
select is_empty($$ select tests.who_may('select from app.score_changes') $$, 'no role reads former scores');
select is_empty($$ select tests.who_may('insert into app.score_changes default values') $$, 'no role writes former scores');
select is_empty($$ select tests.who_may('update app.score_changes set changed_at = changed_at') $$, 'no role changes former scores');
select is_empty($$ select tests.who_may('delete from app.score_changes') $$, 'no role deletes former scores');

rollback to empty;

-- trending_scores: are reached by no role
select is_empty(format('select tests.who_may(%L)', statement), 'no role may: ' || statement)
from unnest(array[
  'select from app.trending_scores', 'insert into app.trending_scores default values', 'update app.trending_scores set score = score', 'delete from app.trending_scores'
]) as statement;

select * from finish();
rollback;
