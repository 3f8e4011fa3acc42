begin;
select plan(42);
savepoint empty;

-- The policy shows comments of visible posts, without those of a blocked pair or a hidden user.
-- docs/product.md P19, C5
select tests.elm();
select tests.person('ann');
select tests.post('trams', 'lena');
select tests.post('bikes', 'maya', 'public_hub');
select tests.comment(name, name, 'trams') from unnest(array['jonas', 'maya', 'ann']) as name;
select tests.comment('reply of jonas', 'jonas', 'trams', 'maya');

create function pg_temp.seen(p_caller text)
returns text[]
language sql
return array(select jsonb_array_elements_text(
  tests.value_as(
    p_caller, $$ array(select coalesce(c.body, 'nothing') from app.comments as c order by c.body nulls first) $$
  )
));

select is(pg_temp.seen(null), '{ann,jonas,maya,"reply of jonas"}', 'a guest sees the comments of a public post');
select is(pg_temp.seen('amara'), '{ann,jonas,maya,"reply of jonas"}', 'a user sees the comments of a public post');
select tests.comment('reply of ann', 'ann', 'trams', 'maya');
select tests.block('maya', 'jonas');
select is(pg_temp.seen('maya'), '{ann,maya,"reply of ann"}', 'a blocker sees no comments by the blocked user');
select is(
  pg_temp.seen('jonas'), '{ann,jonas,"reply of ann","reply of jonas"}',
  'a blocked user who has replied sees their own and others'' replies in the blocker''s thread'
);
select is(
  pg_temp.seen('ann'), '{ann,jonas,maya,"reply of ann","reply of jonas"}',
  'a third user sees the comments of a blocked pair'
);
select app.end_user(tests.id('ann'));
select is(pg_temp.seen(null), '{jonas,maya,"reply of jonas"}', 'a guest sees no comments of an ended account');
select is(
  pg_temp.seen('ann'), '{ann,jonas,maya,"reply of ann","reply of jonas"}',
  'the user of an ended account still sees their own comments'
);
update app.comments set author_id = null, body = null where id = tests.id('maya');
select is(
  pg_temp.seen('jonas'), '{nothing,jonas,"reply of jonas"}', 'a blocked user sees the deleted root of a thread'
);
select tests.block('lena', 'amara');
select is(pg_temp.seen('amara'), '{}', 'a user blocked by the post''s author sees none of its comments');
select tests.block('lena', 'jonas');
select is(
  pg_temp.seen('jonas'), '{jonas,"reply of jonas"}',
  'a user blocked by the post''s author still sees their own comments'
);
select is(pg_temp.seen('maya'), '{nothing}', 'a blocker sees deleted roots but no replies of the blocked user');
update app.posts set visibility = 'private_locked_hub' where id = tests.id('trams');
select is(pg_temp.seen(null), '{}', 'a guest sees no comments of a private post');
select is(pg_temp.seen('lena'), '{nothing}', 'the author of a private post sees its comments');

rollback to empty;

-- The policy lets users comment as themselves on visible posts that are not private.
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');
select tests.asset('picture', 'jonas');
select tests.asset('other picture', 'maya');

create function pg_temp.refusal(p_caller text, p_post text, p_author text, p_asset text default null)
returns text
language sql
return tests.refusal_as(p_caller, format(
  'insert into app.comments (post_id, author_id, body, asset_id) values (%L, %L, %L, %L)',
  tests.id(p_post), tests.id(p_author), 'Hello', tests.id(p_asset)
));

select is(pg_temp.refusal(caller, post, author, asset), expected, title)
from (values
  ('jonas', 'trams', 'jonas', null, null, 'a user can comment on a public post'),
  ('jonas', 'trams', 'maya', null, '42501', 'a user cannot comment as another user'),
  ('jonas', 'trams', null, null, '42501', 'a user cannot comment without an author'),
  ('jonas', 'hidden', 'jonas', null, '42501', 'a user cannot comment on a post they do not see'),
  ('maya', 'locked', 'maya', null, '42501', 'a member cannot comment on a private post of their Hub'),
  ('jonas', 'trams', 'jonas', 'picture', null, 'a user can comment with a picture of their own'),
  ('jonas', 'trams', 'jonas', 'other picture', '42501', 'the policy refuses a comment with another user''s picture')
) as c (caller, post, author, asset, expected, title);

rollback to empty;

-- app.comments checks content and threads.
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.asset('picture', 'jonas');
select tests.post('trams', 'maya');
select tests.post('bikes', 'maya');
select tests.comment('root', 'jonas', 'trams');
select tests.comment('reply', 'maya', 'trams', 'root');

create function pg_temp.violation(p_author text, p_body text, p_asset text, p_parent text)
returns text
language sql
return tests.violation_of(format(
  'insert into app.comments (post_id, author_id, body, asset_id, parent_id) values (%L, %L, %L, %L, %L)',
  tests.id('trams'), tests.id(p_author), p_body, tests.id(p_asset), tests.id(p_parent)
));

select is(pg_temp.violation(author, body, asset, parent), expected, title)
from (values
  ('jonas', null, null, null, 'comments_have_content', 'a comment with an author needs a text or a picture'),
  ('jonas', null, 'picture', null, null, 'a comment with a picture needs no text'),
  ('jonas', '', null, null, 'comments_body_length', 'a comment cannot have an empty text'),
  ('jonas', '!', null, null, null, 'a comment can have a text of 1 character'),
  ('jonas', repeat('é', 2000), null, null, null, 'a comment can have a text of 2000 characters'),
  ('jonas', repeat('é', 2001), null, null, 'comments_body_length', 'a comment cannot have a text of 2001 characters'),
  (
    null, 'Hello', null, null, 'comments_without_author_hold_a_thread', 'a comment without an author cannot have a text'
  ),
  (
    null, null, 'picture', null, 'comments_without_author_hold_a_thread',
    'a comment without an author cannot have a picture'
  ),
  (null, null, null, 'root', 'comments_without_author_hold_a_thread', 'a comment without an author cannot be a reply')
) as c (author, body, asset, parent, expected, title);
select is(tests.violation_of(statement), expected, title)
from (values
  (
    $$ select tests.comment('elsewhere', 'maya', 'bikes', 'root') $$, 'comments_parent_has_same_post',
    'a reply comment cannot be under another post than its root'
  ),
  (
    $$ select tests.comment('deeper', 'maya', 'trams', 'reply') $$, 'comments_replies_have_none',
    'a comment cannot reply to a reply'
  ),
  (
    $$ update app.comments set reply_count = 1 where id = tests.id('reply') $$, 'comments_replies_have_none',
    'a reply cannot have a reply count'
  ),
  (
    $$ update app.comments set reply_count = -1 where id = tests.id('root') $$, 'comments_reply_count_is_not_negative',
    'the reply count of a root cannot be negative'
  ),
  ('delete from app.assets', 'comments_asset_id_fkey', 'a picture cannot be deleted while a comment shows it'),
  ('insert into app.comments select * from app.comments', 'comments_pkey', 'two comments cannot have the same id')
) as c (statement, expected, title);
select tests.person('ben');
select tests.comment('of ben', 'ben', 'trams'), tests.comment('other root', 'maya', 'trams');
delete from app.comments where id = tests.id('root');
delete from app.users where id = tests.id('ben');
delete from app.posts where id = tests.id('bikes');
select results_eq(
  $$ select id from app.comments where id = any (tests.ids('root', 'reply', 'of ben', 'other root')) $$,
  tests.ids('other root'),
  'deleting a root comment or a user deletes their comments and no others'
);
delete from app.posts;
select is_empty('select from app.comments', 'deleting a post deletes its comments');

rollback to empty;

-- Comments release pictures that nothing shows any more.
select tests.elm();
select tests.asset(name, 'jonas') from unnest(array['one', 'two', 'three', 'four']) as name;
select tests.post('trams', 'maya');
select tests.comment(name, 'jonas', 'trams') from unnest(array['first', 'second', 'third', 'fourth']) as name;
update app.comments set asset_id = tests.id('one') where id = any (tests.ids('first', 'second'));
update app.comments set asset_id = tests.id('two') where id = tests.id('third');
update app.comments set asset_id = tests.id('three') where id = tests.id('fourth');
select is_empty('select tests.expired_objects()', 'a picture stays when a comment starts to show it');
update app.comments set asset_id = null where id = tests.id('first');
select is_empty('select tests.expired_objects()', 'a picture stays while another comment shows it');
update app.comments set asset_id = null where id = tests.id('second');
select set_eq('select tests.expired_objects()', tests.ids('one'), 'a picture is released when no comment shows it');
delete from app.comments where id = tests.id('third');
select set_eq('select tests.expired_objects()', tests.ids('one', 'two'), 'deleting a comment releases its picture');
delete from app.posts;
select set_eq(
  'select tests.expired_objects()', tests.ids('one', 'two', 'three'),
  'deleting a post releases the pictures of its comments'
);

select * from finish();
rollback;
