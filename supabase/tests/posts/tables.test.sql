begin;
select plan(112);
savepoint empty;

-- The policies show posts, and with them articles and media, to those who may see them.
-- docs/product.md PO13, PO14
select tests.elm();
select tests.person(name, 4) from unnest(array['ben', 'tom']) as name;
select tests.hub('ash', 'ben'), tests.hub('oak', 'tom');
create temporary table named (name text);
grant select on named to public;
insert into named
values
  ('public'), ('in a Hub'), ('locked'), ('album'), ('article of album'), ('media of album'), ('draft'),
  ('media of draft'),
  ('letter'), ('article of letter'), ('media of letter'), ('of tom');
select tests.post('public', 'maya'), tests.post('in a Hub', 'maya', 'public_hub');
select tests.asset('media of ' || name, 'maya') from unnest(array['album', 'draft', 'letter']) as name;
select tests.post_with_media(name, 'maya', 'media of ' || name) from unnest(array['album', 'letter']) as name;
update app.posts set visibility = 'private_locked_hub' where id = tests.id('letter');
select tests.article('draft', 'maya'), tests.add_article_media('draft', 'media of draft');
select tests.discussion('locked', 'jonas', 'elm'), tests.discussion('of tom', 'tom', 'oak');
select tests.placement('locked', 'ash');

create function pg_temp.seen(p_viewer text)
returns text[]
language sql
return array(select jsonb_array_elements_text(tests.value_as(p_viewer, $$
  array(
    select n.name from named as n
    where tests.id(n.name) in (
      select id from app.posts union all select id from app.articles union all select asset_id from app.article_assets
    )
    order by n.name
  )
$$)));

select is(pg_temp.seen(viewer), expected::text[], title)
from (
  values
    (
      null, '{album,article of album,in a Hub,media of album,public}',
      'a guest sees public posts with their articles and media alone'
    ),
    (
      'lena', '{album,article of album,in a Hub,media of album,public}',
      'a user without a Hub sees public posts with their articles and media alone'
    ),
    (
      'amara', '{album,article of album,in a Hub,locked,media of album,public}',
      'a member of the first Hub of a private post sees the post'
    ),
    (
      'ben', '{album,article of album,in a Hub,locked,media of album,public}',
      'a member of the second Hub of a private post sees the post'
    ),
    (
      'tom', '{album,article of album,in a Hub,media of album,of tom,public}',
      'a member of another Hub does not see a private post'
    ),
    (
      'maya',
      '{album,article of album,article of letter,draft,in a Hub,letter,locked,media of album,media of draft,media of '
      'letter,public}',
      'an author sees all of their own posts, articles and media'
    )
) as c (viewer, expected, title);
select app.delete_memberships(tests.id('elm'), tests.id('jonas'), tests.id('maya'));
select tests.block('ben', 'jonas'), tests.block('maya', 'lena');
select is(pg_temp.seen(viewer) @> '{locked}', expected, title)
from (
  values
    ('jonas', true, 'a former member sees their own private post'),
    ('maya', false, 'a former member does not see the private post of another author'),
    ('ben', false, 'a member who blocks the author does not see their private post'),
    ('amara', true, 'a member sees a private post whose author another member blocks')
) as c (viewer, expected, title);
select is(pg_temp.seen('lena'), '{}', 'a blocked user sees no post, article or media of the blocker');
select tests.post('of lena', 'lena');
insert into named values ('of lena');
select ok(not pg_temp.seen('maya') @> '{of lena}', 'a blocker sees no post of the blocked user');
select ok(pg_temp.seen('maya') @> '{album,letter,public}', 'a blocker sees their own posts');
select ok(pg_temp.seen(viewer) @> '{of lena,public}', title)
from (
  values (null, 'a guest sees the posts of a blocked pair'), ('tom', 'a third user sees the posts of a blocked pair')
) as c (viewer, title);
delete from app.posts where id = tests.id('album');
select is(pg_temp.seen(null), '{in a Hub,of lena,public}', 'a guest sees no article without its post');
select app.end_user(tests.id(name)) from unnest(array['jonas', 'maya']) as name;
select is(pg_temp.seen(null), '{of lena}', 'a guest sees no post of an ended account');
select is(pg_temp.seen('amara'), '{of lena}', 'a member sees no post and no article of an ended account');
-- A request of the author may be under way still, and answers what it has written.
select ok(pg_temp.seen('maya') @> '{letter,public}', 'an author with an ended account sees their own posts');

rollback to empty;

-- The policies let users write and delete only what is theirs.
select tests.elm();
select tests.asset('picture', 'maya'), tests.asset('his picture', 'jonas'), tests.asset('shown', 'maya');
select tests.article('hers', 'maya'), tests.article('his', 'jonas');
select tests.post('trams', 'lena'), tests.post('hidden', 'lena', 'private_locked_hub'),
  tests.repost('again', 'jonas', 'trams');
select tests.discussion('locked', 'jonas', 'elm'), tests.post_with_media('seen', 'maya', 'shown');

create function pg_temp.refusal(p_caller text, p_table text, p_owner text, p_values jsonb)
returns text
language sql
return tests.refusal_as(p_caller, (
  select format(
    'insert into app.%I (%s) values (%s)', p_table, string_agg(quote_ident(key), ', '),
    string_agg(quote_nullable(value), ', ')
  )
  from jsonb_each_text(p_values || case p_table
    when 'article_assets' then '{}' when 'posts' then jsonb_build_object(
      'author_id', tests.id(p_owner), 'visibility', 'public'
    )
    when 'articles' then jsonb_build_object(
      'author_id', tests.id(p_owner)
    ) else jsonb_build_object('user_id', tests.id(p_owner))
  end)
));
create function pg_temp.media(p_article text, p_asset text)
returns jsonb
language sql
return jsonb_build_object('article_id', tests.id(p_article), 'place', 2, 'asset_id', tests.id(p_asset));

select is(pg_temp.refusal(caller, target, owner, given), expected, title)
from (
  values
    ('maya', 'articles', 'maya', '{"title": "Trams"}'::jsonb, null, 'a user writes an article as its author'),
    ('maya', 'articles', 'jonas', '{"title": "Trams"}', '42501', 'a user cannot write an article for another author'),
    ('maya', 'article_assets', null, pg_temp.media('hers', 'picture'), null, 'an author adds media to their article'),
    (
      'maya', 'article_assets', null, pg_temp.media('hers', 'his picture'), '42501',
      'an author cannot add media of another person to their article'
    ),
    (
      'jonas', 'article_assets', null, pg_temp.media('article of seen', 'his picture'), '42501',
      'a user cannot add media to a visible article of another author'
    ),
    ('maya', 'posts', 'maya', '{"thought_text": "Mine"}', null, 'a user publishes a post of their own'),
    ('maya', 'posts', 'jonas', '{"thought_text": "His"}', '42501', 'a user cannot publish a post as another author'),
    (
      'jonas', 'posts', 'jonas', jsonb_build_object('article_id', tests.id('hers')), '23503',
      'a user cannot publish the article of another author'
    ),
    (
      'jonas', 'posts', 'jonas', jsonb_build_object('thought_text', 'Mine', 'source_post_id', tests.id('trams')), null,
      'a user reposts a visible post'
    ),
    (
      'jonas', 'posts', 'jonas', jsonb_build_object('thought_text', 'Mine', 'source_post_id', tests.id('hidden')),
      '42501',
      'a user cannot repost a hidden post'
    ),
    (
      'jonas', 'posts', 'jonas', jsonb_build_object('thought_text', 'Mine', 'source_post_id', tests.id('again')),
      '42501',
      'a user cannot repost a repost'
    )
) as c (caller, target, owner, given, expected, title);
select is(
  pg_temp.refusal('maya', target, owner, jsonb_build_object('post_id', tests.id(post))), expected, format(title, target)
)
from unnest(array['feed_shares', 'saved_posts']) as target
cross join (
  values
    ('maya', 'trams', null, 'a user inserts a public post into %s'),
    ('jonas', 'trams', '42501', 'a user cannot insert a post into %s for another person'),
    ('maya', 'locked', null, 'a member inserts a visible private post into %s'),
    ('maya', 'hidden', '42501', 'a user cannot insert a hidden post into %s')
) as c (owner, post, expected, title);
select is(
  pg_temp.refusal('lena', 'feed_shares', 'lena', jsonb_build_object('post_id', tests.id('trams'))), null,
  'an author shares their own post to their feed'
);
insert into app.saved_posts (user_id, post_id) values (tests.id('jonas'), tests.id('trams'));
select tests.authenticate_as('maya');
update app.feed_shares set id = tests.id('other');
delete from app.articles;
delete from app.posts;
delete from app.saved_posts;
reset role;
select is_empty(
  $$
    select from app.posts
    where author_id = tests.id('maya')
    union all select from app.articles
    where author_id = tests.id('maya')
  $$,
  'a user deletes all of their own posts and articles'
);
select set_eq(
  'select distinct author_id from app.posts union all select author_id from app.articles',
  tests.ids('jonas', 'lena', 'jonas'), 'a user deletes no post and no article of another author'
);
select set_eq(
  'select user_id, post_id from app.feed_shares where id = tests.id(''other'')',
  $$ values (tests.id('maya'), tests.id('trams')), (tests.id('maya'), tests.id('locked')) $$,
  'a user renews only their own shares'
);
select results_eq(
  'select user_id from app.saved_posts', tests.ids('jonas'), 'a user unsaves only their own saved posts'
);

rollback to empty;

-- Feed shares and saved posts: who sees them, and how many a user has of a post.
select tests.elm();
select tests.post('trams', 'lena'), tests.discussion('locked', 'jonas', 'elm');
insert into app.feed_shares (user_id, post_id)
select tests.id(name), tests.id('trams') from unnest(array['maya', 'lena']) as name
union all select tests.id('maya'), tests.id('locked');
insert into app.saved_posts (user_id, post_id)
values (tests.id('maya'), tests.id('trams')), (tests.id('jonas'), tests.id('locked'));
create function pg_temp.seen(p_viewer text, p_table text)
returns jsonb
language sql
return tests.value_as(p_viewer, format(
  $$
    array(
      select name || ' of ' || p.username
      from unnest(array['locked', 'trams']) as name
      join app.%I as t on t.post_id = tests.id(name)
      join unnest(array['jonas', 'lena', 'maya']) as p (username) on tests.id(p.username) = t.user_id
      order by 1
    )
  $$, p_table
));
select is(
  pg_temp.seen('maya', 'feed_shares'), '["locked of maya", "trams of maya"]',
  'a user sees only their own shares to their feed'
);
select is(pg_temp.seen('jonas', 'saved_posts'), '["locked of jonas"]', 'a user sees only their own saved posts');
select is(
  tests.violation_of(format('insert into app.%1$I (user_id, post_id) select user_id, post_id from app.%1$I', name)),
  name || '_pkey', format('%s has one row for a user and a post', name)
)
from unnest(array['feed_shares', 'saved_posts']) as name;
select app.end_user(tests.id('maya'));
delete from app.posts where id = tests.id('trams');
select results_eq(
  'select post_id from app.feed_shares union all select post_id from app.saved_posts', tests.ids('locked', 'locked'),
  'deleting a post deletes its feed shares and saved entries'
);

rollback to empty;

-- Members alone write placements.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('his', 'jonas');
select tests.post('his for two', 'jonas', 'private_locked_hub');
select tests.post('hers', 'lena', 'public_hub');
select tests.post('of maya', 'maya', 'private_locked_hub');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.hub('yew', 'jonas'), tests.placement('his for two', 'yew'), tests.placement('his for two', 'ash');

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
    (
      'jonas', 'hers', 'targeted', 'jonas', 'elm', '42501',
      'a member cannot target their Hub with the post of another author'
    ),
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
select is(
  pg_temp.refusal('jonas', 'his', 'targeted', 'jonas', 'oak'), '42501',
  'an author cannot target further Hubs with a placed post'
);
select set_eq(
  'select post_id, kind::text, placed_by, placed_at from app.placements where hub_id = tests.id(''elm'')',
  $$
    values
      (tests.id('his'), 'targeted', tests.id('jonas'), app.now()),
      (tests.id('hers'), 'shared', tests.id('jonas'), app.now()),
      (tests.id('his for two'), 'shared', tests.id('jonas'), app.now()),
      (tests.id('of maya'), 'targeted', tests.id('maya'), app.now())
  $$,
  'a placement records its kind, its author and its time'
);

rollback to empty;

-- Members alone see placements. A placement is unique in its Hub and deleted with its post or Hub.
select tests.elm();
select tests.person('ben', 4);
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm'), tests.placement('trams', 'ash', p_by => 'ben');
insert into app.posts (id, author_id, thought_text, visibility)
values (tests.id('bikes'), tests.id('lena'), 'bikes', 'public');
insert into app.placements (post_id, hub_id) values (tests.id('bikes'), tests.id('ash'));
create function pg_temp.seen(p_viewer text)
returns jsonb
language sql
return tests.value_as(p_viewer, $$
  array(
    select name from unnest(array['ash', 'elm']) as name
    join app.placements as p on p.hub_id = tests.id(name) and p.post_id = tests.id('trams')
  )
$$);
select is(pg_temp.seen(viewer), expected::jsonb, title)
from (
  values
    ('maya', '["elm"]', 'a member sees the placements in their Hubs alone'),
    ('jonas', '["elm"]', 'an author sees no placement in a Hub of others'),
    (null, '[]', 'a guest sees no placement')
) as c (viewer, expected, title);
delete from app.memberships where user_id = tests.id('maya');
select is(pg_temp.seen('maya'), '[]', 'a former member sees no placement');
select is(
  tests.violation_of(
    $$ insert into app.placements (post_id, hub_id, kind) values (tests.id('trams'), tests.id('elm'), 'shared') $$
  ),
  'placements_pkey', 'a post has one placement in a Hub'
);
delete from app.users where id = tests.id('ben');
select bag_eq(
  $$ select post_id, kind::text, placed_by, placed_at from app.placements where hub_id = tests.id('ash') $$,
  $$
    values
      (tests.id('trams'), 'targeted', null::uuid, app.now()), (tests.id('bikes'), 'targeted', null, app.now())
  $$,
  'a placement is targeted and of now by default, and outlives the account of its author'
);
delete from app.posts where id = tests.id('trams');
select results_eq(
  'select post_id from app.placements union all select post_id from app.discussions', tests.ids('bikes', 'bikes'),
  'deleting a post deletes its placements and discussions'
);
select tests.close_hub('ash');
delete from app.hubs where id = tests.id('ash');
select is_empty('select from app.placements', 'deleting a Hub deletes its placements');

rollback to empty;

-- The constraints of article_assets limit and order media.
select tests.person('maya', 3);
select tests.asset(n::text, 'maya') from generate_series(0, 11) as n;
select tests.article('hers', 'maya');
select tests.article('other', 'maya');

select is(
  tests.violation_of(format(
    'insert into app.article_assets (article_id, place, asset_id) values (%L, %L, %L)', tests.id(article), place,
    tests.id(asset)
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
  tests.violation_of('delete from app.assets'), 'article_assets_asset_id_fkey',
  'an asset of an article cannot be deleted'
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
    (
      'url', E'javascript://\nhttps://example.com', 'articles_url_is_web',
      'a link cannot hide its scheme before a line end'
    ),
    ('url', 'https://maya:password@example.com', 'articles_url_is_web', 'a link has no user'),
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

-- The constraints of posts limit their texts.
select tests.person('maya', 3);
select tests.post('trams', 'maya');
select tests.article('about trams', 'maya');

select is(
  tests.violation_of(
    format(
      'insert into app.posts (author_id, visibility, %s) values (%L, %L, %s)', columns, tests.id('maya'), 'public',
      given
    )
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
      'slider_text, left_label, right_label', $$'Trams?', 'No', ''$$, 'posts_right_label_length',
      'a right label cannot be empty'
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

-- Posts of a merged account are visible as soon as they are moved.
select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.post('trams', 'lena');
select app.end_user(tests.id('lena'), tests.id('maya'));
select tests.authenticate_as_guest();
select results_eq('select id from app.posts', tests.ids('trams'), 'a guest sees a post that a merge has moved');
reset role;
select tests.post('late', 'lena');
select tests.authenticate_as_guest();
select results_eq(
  'select id from app.posts', tests.ids('trams'), 'a guest does not see a post that a merge has not moved yet'
);

rollback to empty;

-- Score changes know their transaction.
select tests.person('maya');
select tests.post('trams', 'maya');
insert into app.score_changes (post_id) values (tests.id('trams'));
select is(changed_by, pg_current_xact_id(), 'a score change records its transaction') from app.score_changes;

select * from finish();
rollback;
