begin;
select plan(97);
savepoint empty;

-- create_comment requires level 2 and a visible post that is not private (docs/product.md C1, C4).
select tests.elm();
select tests.person('anonymous', 1);
select tests.person('two', 2);
select tests.post('trams', 'lena'), tests.post('in a Hub', 'jonas', 'public_hub');
select tests.discussion('locked', 'jonas', 'elm');

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_as(
  p_caller, format('select api.create_comment(%L)', tests.post_args(p_post) || '{"text": "Hello"}')
);

select is(pg_temp.refusal(caller, post), expected, title)
from (values
  ('anonymous', 'trams', 'PT403 FORBIDDEN', 'a user at level 1 cannot comment on a post'),
  ('two', 'trams', null, 'a user at level 2 can comment on a post'),
  ('two', 'in a Hub', null, 'a non-member can comment on a public post of a Hub'),
  ('two', 'unknown', 'PT404 POST_NOT_FOUND', 'a user cannot comment on an unknown post'),
  ('two', 'locked', 'PT404 POST_NOT_FOUND', 'a non-member cannot find a private post to comment on'),
  ('maya', 'locked', 'PT403 FORBIDDEN', 'a member cannot comment on a private post'),
  ('jonas', 'locked', 'PT403 FORBIDDEN', 'the author of a private post cannot comment on the post')
) as c (caller, post, expected, title);
select tests.block('lena', 'maya');
select is(
  pg_temp.refusal('maya', 'trams'), 'PT404 POST_NOT_FOUND', 'a blocked user cannot find the post to comment on'
);

rollback to empty;

-- create_comment refuses an account that ends at the same time.
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.post('trams', 'maya');
create function pg_temp.end_jonas()
returns trigger
language plpgsql
security definer
as $$
begin
  perform app.end_user(tests.id('jonas'));
  return null;
end
$$;
create trigger ends after insert on app.comments for each row execute function pg_temp.end_jonas();
select tests.authenticate_as('jonas');
select throws_ok(
  $$ select api.create_comment(tests.post_args('trams') || '{"text": "Too late"}') $$, 'PT401', 'UNAUTHORIZED',
  'a user whose account ends at the same time cannot comment'
);

rollback to empty;

-- create_comment adds replies to the thread of their root (docs/product.md C2, C8).
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.comment('root', 'jonas', 'trams');
select tests.comment('reply', 'jonas', 'trams', 'root');
select tests.comment('elsewhere', 'jonas', 'bikes');
select tests.comment('deleted', 'jonas', 'trams');
select tests.comment('reply to deleted', 'jonas', 'trams', 'deleted');
update app.comments set author_id = null, body = null where id = tests.id('deleted');
select tests.comment('of amara', 'amara', 'trams');
select tests.comment('reply of jonas to amara', 'jonas', 'trams', 'of amara');
select tests.comment('reply of amara', 'amara', 'trams', 'root');
select tests.comment('reply of maya to amara', 'maya', 'trams', 'of amara');
select tests.block('amara', 'maya');

create function pg_temp.args(p_parent text)
returns jsonb
language sql
return tests.post_args('trams') || jsonb_build_object('text', 'A reply', 'parentCommentId', tests.id(p_parent));

select tests.authenticate_as('maya');
select is(api.create_comment(pg_temp.args(parent)) -> 'parentCommentId', to_jsonb(tests.id(root)), title)
from (values
  ('root', 'root', 'a reply to a root comment joins its thread'),
  ('reply', 'root', 'a reply to a reply joins the thread of the root comment'),
  ('reply to deleted', 'deleted', 'a user can reply to a reply in the thread of a deleted root')
) as c (parent, root, title);
select is(tests.refusal('create_comment', pg_temp.args(parent)), 'COMMENT_NOT_FOUND', title)
from (values
  ('elsewhere', 'a user cannot reply to a comment on another post'),
  ('unknown', 'a user cannot reply to an unknown comment'),
  ('deleted', 'a user cannot reply to a deleted root comment'),
  ('of amara', 'a blocked user cannot reply to the blocker''s comment'),
  ('reply of amara', 'a blocked user cannot reply to the blocker''s reply'),
  ('reply of jonas to amara', 'a blocked user cannot reply to others in the blocker''s thread'),
  ('reply of maya to amara', 'a blocked user cannot reply to themselves in the blocker''s thread')
) as c (parent, title);
select is(
  tests.refusal('create_comment', pg_temp.args('root') || tests.post_args('nothing')), 'POST_NOT_FOUND',
  'create_comment checks the post before the parent comment'
);
reset role;
select is(reply_count, 4, 'a root comment counts replies to its replies') from app.comments where id = tests.id('root');

rollback to empty;

-- create_comment stores texts and pictures of the caller (docs/product.md C1).
select tests.elm();
select tests.asset('picture', 'jonas');
select tests.asset('other picture', 'maya');
select tests.asset('face', 'jonas', 'profile_photo');
select tests.post('trams', 'lena');

create function pg_temp.comment(p_args jsonb)
returns jsonb
language sql
return api.create_comment(tests.post_args('trams') || p_args);

select tests.authenticate_as('jonas');
create temporary table answers as
select
  pg_temp.comment('{"text": "Hello", "parentCommentId": null, "assetId": null}') as text,
  pg_temp.comment(jsonb_build_object('assetId', tests.id('picture'), 'altText', 'A tram')) as picture;
select is(
  text - 'id',
  jsonb_build_object(
    'postId', tests.id('trams'), 'parentCommentId', null, 'author', app.user_lite(p),
    'text', 'Hello', 'replyCount', 0, 'createdAt', app.iso(app.now()), 'isDeleted', false
  ) || tests.picture(),
  'create_comment answers the comment with its author'
)
from answers, app.profiles as p where p.username = 'jonas';
select is(
  picture @> tests.picture('picture', 'A tram'), true, 'create_comment answers a picture with its alt text and size'
) from answers;
select is(
  tests.error_of($$ select pg_temp.comment('{"text": "Look", "altText": "A tram"}') $$) #> '{details,issues,0,path}',
  '["altText"]',
  'a comment with an alt text needs a picture'
);
select is(
  tests.error_of(
    format('select pg_temp.comment(%L)', jsonb_build_object('assetId', tests.id(name)))
  ) #> '{details,issues,0,path}',
  '["assetId"]', title
)
from (values
  ('other picture', 'a user cannot comment with another user''s picture'),
  ('face', 'a user cannot comment with a profile photo')
) as c (name, title);
select is(
  tests.violation_of($$ select pg_temp.comment('{}') $$), 'comments_have_content',
  'a user cannot comment without content'
);
reset role;
select set_eq(
  'select author_id, post_id, parent_id, body, asset_id from app.comments',
  $$
    values
      (tests.id('jonas'), tests.id('trams'), null::uuid, 'Hello', null::uuid),
      (tests.id('jonas'), tests.id('trams'), null, null, tests.id('picture'))
  $$,
  'create_comment stores the caller as author of each comment'
);

rollback to empty;

-- delete_comment is for the author of the comment and the author of the post (docs/product.md C6).
select tests.elm();
select tests.person('anonymous', 1);
select tests.post('trams', 'lena');
select tests.comment(name, 'jonas', 'trams') from unnest(array['one', 'two', 'root']) as name;
select tests.comment('reply', 'maya', 'trams', 'root');
select tests.comment('of amara', 'amara', 'trams');
select tests.block('amara', 'maya');

create function pg_temp.refusal(p_caller text, p_comment text)
returns text
language sql
return tests.refusal_as(
  p_caller, format('select api.delete_comment(%L)', jsonb_build_object('commentId', tests.id(p_comment)))
);

select is(pg_temp.refusal(caller, comment), expected, title)
from (values
  ('anonymous', 'one', 'PT403 FORBIDDEN', 'a user at level 1 cannot delete another user''s comment'),
  ('anonymous', 'unknown', 'PT404 COMMENT_NOT_FOUND', 'a user at level 1 cannot delete an unknown comment'),
  ('maya', 'one', 'PT403 FORBIDDEN', 'a user cannot delete another user''s comment'),
  ('maya', 'unknown', 'PT404 COMMENT_NOT_FOUND', 'a user cannot delete an unknown comment'),
  ('maya', 'of amara', 'PT404 COMMENT_NOT_FOUND', 'a blocked user cannot find the blocker''s comment to delete'),
  ('jonas', 'one', null, 'the author of a comment can delete the comment'),
  ('jonas', 'one', 'PT404 COMMENT_NOT_FOUND', 'the author of a comment cannot delete the comment twice'),
  ('lena', 'two', null, 'the author of a post can delete a comment on the post'),
  ('jonas', 'root', null, 'the author of a root comment with replies can delete the root'),
  ('jonas', 'root', 'PT404 COMMENT_NOT_FOUND', 'the author of a deleted root cannot delete the root again'),
  ('lena', 'root', 'PT404 COMMENT_NOT_FOUND', 'the author of a post cannot delete a deleted root')
) as c (caller, comment, expected, title);
select is(
  tests.refusal_as('lena', format('select app.delete_comment_as_caller(%L)', tests.id('root'))),
  'PT404 COMMENT_NOT_FOUND',
  'delete_comment_as_caller refuses a root that is deleted meanwhile'
);
select set_eq(
  'select id, body from app.comments',
  $$ values (tests.id('root'), null), (tests.id('reply'), 'reply'), (tests.id('of amara'), 'of amara') $$,
  'delete_comment keeps an empty root and all other comments'
);

rollback to empty;

-- delete_comment keeps the root of a thread until its last reply goes (docs/product.md C6).
select tests.elm();
select tests.asset('picture', 'jonas');
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.comment('root', 'jonas', 'trams'), tests.comment('other root', 'maya', 'trams'),
  tests.comment('alone', 'maya', 'bikes');
select tests.comment('reply', 'maya', 'trams', 'root'), tests.comment('other reply', 'amara', 'trams', 'root');
select tests.comment('reply to other root', 'amara', 'trams', 'other root');
update app.comments set asset_id = tests.id('picture') where id = tests.id('root');
select tests.comment('another root', 'jonas', 'bikes'), tests.comment('reply there', 'maya', 'bikes', 'another root');
select set_eq(
  'select thread_author_id from app.notifications where thread_author_id is not null', tests.ids('jonas', 'maya'),
  'notifications of replies to a thread name its author'
);

select ok(app.delete_comment(tests.id('root')), 'delete_comment returns true for an existing comment');
select results_eq(
  $$ select author_id, body, asset_id, reply_count, parent_id from app.comments where id = tests.id('root') $$,
  'values (null::uuid, null::text, null::uuid, 2, null::uuid)',
  'an erased root with replies stays without author, text and picture'
);
select is_empty(
  $$ select from app.events where comment_id = tests.id('root') $$, 'an erased root notifies nobody any more'
);
select results_eq('select tests.expired_objects()', tests.ids('picture'), 'an erased root releases its picture');
select bag_eq(
  $$
    select e.comment_id, n.thread_author_id from app.notifications as n join app.events as e on e.id = n.event_id
    where n.thread_author_id = tests.id('jonas')
  $$,
  $$ values (tests.id('reply there'), tests.id('jonas')) $$,
  'the block of the author of an erased root hides no thread but their others'
);
select app.delete_comment(tests.id('reply there')), app.delete_comment(tests.id('another root'));
select ok(not app.delete_comment(tests.id(name)), format('delete_comment returns false for an %s comment', what))
from (values ('root', 'erased'), ('unknown', 'unknown')) as c (name, what);
select is(comment_count, 4, 'an erased root no longer counts as a comment of its post')
from app.posts where id = tests.id('trams');
select app.delete_comment(tests.id('reply')), app.delete_comment(tests.id('reply to other root'));
select bag_eq(
  'select id, reply_count from app.comments where parent_id is null',
  $$ values (tests.id('root'), 1), (tests.id('other root'), 0), (tests.id('alone'), 0) $$,
  'a root counts one reply less after a reply is erased'
);
select app.delete_comment(tests.id('other reply'));
select set_eq(
  'select id from app.comments', tests.ids('alone', 'other root'),
  'an erased root goes with its last reply, an existing root stays'
);
select app.delete_comment(tests.id('alone'));
select results_eq(
  'select id, comment_count from app.posts order by comment_count',
  $$ values (tests.id('bikes'), 0), (tests.id('trams'), 1) $$,
  'delete_comment changes the comment count of the comment''s own post'
);
select results_eq(
  'select comment_id from app.events where comment_id is not null', tests.ids('other root'),
  'delete_comment deletes the events of erased comments only'
);
select set_eq(
  'select post_id, score from app.trending_scores', $$ values (tests.id('trams'), app.activity_score(2, app.now())) $$,
  'delete_comment takes comments out of trending scores'
);

rollback to empty;

-- delete_comment moves the activity back to the author's latest remaining comment.
select tests.elm();
select tests.post('trams', 'lena'), tests.post('bikes', 'lena');
select tests.comment('first', 'jonas', 'trams', null, app.now() - interval '3 hours');
select tests.comment('second', 'jonas', 'trams', null, app.now() - interval '2 hours');
select tests.comment('third', 'jonas', 'trams', 'second', app.now() - interval '1 hour');
select tests.comment('elsewhere', 'jonas', 'bikes'), tests.comment('of maya', 'maya', 'trams', null, app.now());

create function pg_temp.activity_after_erasing(p_name text)
returns text[]
language plpgsql
as $$
begin
  perform app.delete_comment(tests.id(p_name));
  return array(
    select concat_ws(' ', p.username, app.now() - e.occurred_at, case when e.hub_id is not null then 'in the Hub' end)
    from app.feed_events as e
    join app.profiles as p on p.user_id = e.actor_id
    where e.post_id = tests.id('trams') and e.kind = 'commented' and e.ended_at is null
    order by 1
  );
end
$$;

select is(pg_temp.activity_after_erasing(name), expected::text[] || '{maya 00:00:00,maya 00:00:00 in the Hub}', title)
from (values
  (
    'second', '{jonas 01:00:00,jonas 01:00:00 in the Hub}',
    'erasing an earlier comment keeps the activity of the latest'
  ),
  (
    'third', '{jonas 03:00:00,jonas 03:00:00 in the Hub}',
    'erasing the latest comment moves the activity to the one before, in profile and Hub feeds'
  ),
  ('first', '{}', 'erasing the last comment of a user on a post ends their activity and no other')
) as c (name, expected, title);

rollback to empty;

-- list_comments lists roots, or the replies of one thread, oldest first (docs/product.md C3, C4, C6).
select tests.elm();
select tests.post('trams', 'jonas'), tests.post('bikes', 'jonas'), tests.discussion('locked', 'jonas', 'elm');
select tests.asset('picture', 'jonas');
select tests.comment('second', 'jonas', 'trams', null, app.now() - interval '2 hours');
select tests.comment('first', 'maya', 'trams', null, app.now() - interval '3 hours');
select tests.comment('third', 'amara', 'trams', null, app.now() - interval '1 hour');
select tests.comment('later reply', 'maya', 'trams', 'first', app.now());
select tests.comment('reply', 'jonas', 'trams', 'first', app.now() - interval '1 minute');
select tests.comment('elsewhere', 'maya', 'bikes');
update app.comments set body = null, asset_id = tests.id('picture') where id = tests.id('reply');
update app.comments set author_id = null, body = null where id = tests.id('first');

create function pg_temp.thread(p_name text)
returns jsonb
language sql
return tests.post_args('trams') || jsonb_build_object('parentCommentId', tests.id(p_name));

create function pg_temp.expected(p_name text, p_author text, p_change jsonb)
returns jsonb
language sql
return jsonb_build_object(
  'id', tests.id(p_name), 'postId', tests.id('trams'), 'parentCommentId', null, 'text', p_name, 'replyCount', 0,
  'author', app.user_lite((select p from app.profiles as p where p.username = p_author)), 'isDeleted', false
) || tests.picture() || p_change;

select tests.authenticate_as_guest();
select is(
  api.list_comments(tests.post_args('trams')),
  jsonb_build_object('nextCursor', null, 'items', jsonb_build_array(
    pg_temp.expected('first', null, jsonb_build_object(
      'text', null, 'replyCount', 2, 'isDeleted', true, 'createdAt', app.iso(app.now() - interval '3 hours')
    )),
    pg_temp.expected('second', 'jonas', jsonb_build_object('createdAt', app.iso(app.now() - interval '2 hours'))),
    pg_temp.expected('third', 'amara', jsonb_build_object('createdAt', app.iso(app.now() - interval '1 hour')))
  )),
  'list_comments lists root comments of this post, oldest first, a deleted root without author and text'
);
select is(
  api.list_comments(pg_temp.thread('first')) -> 'items',
  jsonb_build_array(
    pg_temp.expected('reply', 'jonas', pg_temp.thread('first') - 'postId' || jsonb_build_object(
      'text', null, 'createdAt', app.iso(app.now() - interval '1 minute')
    ) || tests.picture('picture')),
    pg_temp.expected(
      'later reply', 'maya', pg_temp.thread('first') - 'postId' || jsonb_build_object('createdAt', app.iso(app.now()))
    )
  ),
  'list_comments lists the replies of one thread, oldest first, with their pictures'
);
select is(
  tests.item_ids_across_pages('list_comments', args), expected,
  'list_comments keeps the order of ' || what || ' on pages of one item'
)
from (values
  (tests.post_args('trams'), tests.ids('first', 'second', 'third'), 'roots'),
  (pg_temp.thread('first'), tests.ids('reply', 'later reply'), 'replies')
) as c (args, expected, what);
select is(
  tests.item_ids(api.list_comments(pg_temp.thread('second'))), '{}',
  'a root comment without replies has an empty thread'
);
select is(tests.refusal('list_comments', args), expected, title)
from (values
  (pg_temp.thread('reply'), 'COMMENT_NOT_FOUND', 'a reply to a comment has no thread of its own'),
  (pg_temp.thread('elsewhere'), 'COMMENT_NOT_FOUND', 'a comment on another post has no thread here'),
  (pg_temp.thread('unknown'), 'COMMENT_NOT_FOUND', 'an unknown comment has no thread'),
  (tests.post_args('unknown'), 'POST_NOT_FOUND', 'list_comments refuses an unknown post'),
  (tests.post_args('locked'), 'POST_NOT_FOUND', 'a guest cannot find a private post to list comments of')
) as c (args, expected, title);
select tests.authenticate_as('maya');
select is(
  tests.refusal('list_comments', tests.post_args('locked')), 'FORBIDDEN',
  'a member cannot list comments of a private post'
);
reset role;
select tests.block('amara', 'lena');
select tests.comment('fourth', 'amara', 'trams'),
  tests.comment('fifth', 'maya', 'trams', null, app.now() + interval '1 second');
select tests.authenticate_as('lena');
select is(
  tests.item_ids_across_pages('list_comments', tests.post_args('trams')), tests.ids('first', 'second', 'fifth'),
  'list_comments omits the blocker''s comments and fills its pages'
);
select is(
  tests.refusal('list_comments', pg_temp.thread('third')), 'COMMENT_NOT_FOUND',
  'a blocked user cannot list the blocker''s thread'
);

rollback to empty;

-- list_comments keeps threads of hidden users that other users replied in (docs/product.md S13).
select tests.elm();
select tests.person('ann');
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.comment('begun elsewhere', 'jonas', 'bikes', null, app.now() - interval '3 hours');
select tests.comment('reply elsewhere', 'maya', 'bikes', 'begun elsewhere');
select tests.comment('begun by jonas', 'jonas', 'trams', null, app.now() - interval '3 hours');
select tests.comment('begun by amara', 'amara', 'trams', null, app.now() - interval '2 hours');
select tests.comment('answered by jonas alone', 'jonas', 'trams', null, app.now() - interval '1 hour');
select tests.comment('unanswered', 'jonas', 'trams');
select tests.comment('reply of maya', 'maya', 'trams', 'begun by jonas', app.now() - interval '1 hour');
select tests.comment('reply of jonas', 'jonas', 'trams', 'begun by jonas');
select tests.comment('own reply', 'jonas', 'trams', 'answered by jonas alone');
select tests.comment('reply of ann', 'ann', 'trams', 'begun by amara');
insert into app.suspensions (user_id) values (tests.id('jonas'));

create function pg_temp.args(p_root text)
returns jsonb
language sql
return tests.post_args('trams') || jsonb_build_object('parentCommentId', tests.id(p_root));

create function pg_temp.roots()
returns uuid[]
language sql
return tests.item_ids(api.list_comments(tests.post_args('trams')));

select tests.authenticate_as_guest();
select is(
  pg_temp.roots(), tests.ids('begun by jonas', 'begun by amara'),
  'a thread of a suspended user stays when another user replied'
);
select is(
  api.list_comments(tests.post_args('trams')) #> '{items,0}',
  jsonb_build_object(
    'id', tests.id('begun by jonas'), 'postId', tests.id('trams'), 'parentCommentId', null, 'author',
    app.user_lite(null),
    'text', null,
    'replyCount', 2, 'createdAt', app.iso(app.now() - interval '3 hours'), 'isDeleted', true
  ) || tests.picture(),
  'a suspended user''s root comment looks like a deleted one'
);
select is(
  tests.item_ids(api.list_comments(pg_temp.args('begun by jonas'))), tests.ids('reply of maya'),
  'a suspended user''s comment thread lists the replies of others only'
);
select is(tests.refusal('list_comments', pg_temp.args(root)), 'COMMENT_NOT_FOUND', title)
from (values
  ('answered by jonas alone', 'a comment thread of a suspended user alone is not found'),
  ('reply of maya', 'a reply in a suspended user''s thread is no root comment')
) as c (root, title);
select is(
  tests.item_ids_across_pages('list_comments', tests.post_args('trams')), tests.ids('begun by jonas', 'begun by amara'),
  'list_comments pages past the root of a suspended user'
);
select is_empty(
  $$ select from app.comments where author_id = tests.id('jonas') or body = 'begun by jonas' $$,
  'a guest cannot read comments of a suspended user'
);
select tests.authenticate_as('maya');
select is(tests.refusal('create_comment', pg_temp.args(parent) || '{"text": "A reply"}'), expected, title)
from (values
  ('begun by jonas', 'COMMENT_NOT_FOUND', 'a user cannot reply to a comment of a suspended user'),
  ('reply of maya', null, 'a user can reply to others in a suspended user''s thread')
) as c (parent, expected, title);
reset role;
select app.end_user(tests.id('amara'));
select tests.authenticate_as_guest();
select is(
  pg_temp.roots(), tests.ids('begun by jonas', 'begun by amara'),
  'a thread of an ended account stays when another user replied'
);
reset role;
delete from app.comments where body = 'A reply';
select tests.block('jonas', 'maya');
select tests.block('ann', 'maya');
select tests.authenticate_as('maya');
-- docs/product.md C8
select is(
  pg_temp.roots(), tests.ids('begun by jonas'),
  'a blocked user sees the blocker''s thread in which they have replied, and no other'
);
select is(
  tests.item_ids(api.list_comments(pg_temp.args('begun by jonas'))), tests.ids('reply of maya'),
  'a blocked user lists their own replies in the blocker''s thread'
);
reset role;
delete from app.comments where id = tests.id('reply of maya');
select tests.comment('reply of lena', 'lena', 'trams', 'begun by jonas');
select tests.authenticate_as('maya');
select is(pg_temp.roots(), '{}', 'a blocked user sees no thread of the blocker in which they have not replied');
select is(
  tests.refusal('list_comments', pg_temp.args('begun by jonas')), 'COMMENT_NOT_FOUND',
  'a blocked user cannot list replies in the blocker''s thread in which they have not replied'
);
reset role;
delete from app.suspensions;
select tests.authenticate_as_guest();
select is(
  api.list_comments(tests.post_args('trams')) #>> '{items,0,text}', 'begun by jonas',
  'a restored user''s comment shows its text again'
);

rollback to empty;

-- list_comments orders items of one moment by id, 30 on a page by default.
select tests.person('maya');
select tests.post('trams', 'maya');
select tests.comment(n::text, 'maya', 'trams') from generate_series(1, 31) as n;
select tests.comment('reply ' || n, 'maya', 'trams', '1') from generate_series(1, 31) as n;
select tests.disable_index_scans();

create function pg_temp.by_id(p_parent uuid)
returns uuid[]
language sql
return array(select c.id from app.comments as c where c.parent_id is not distinct from p_parent order by c.id);

select tests.authenticate_as_guest();
select is(tests.item_ids(api.list_comments(tests.post_args('trams') || thread)), (pg_temp.by_id(parent))[:30], title)
from (values
  ('{}', null, 'list_comments answers 30 root comments of one moment on a page, ordered by id'),
  (
    jsonb_build_object('parentCommentId', tests.id('1')), tests.id('1'),
    'list_comments answers 30 replies of one moment on a page, ordered by id'
  )
) as c (thread, parent, title);
select is(
  tests.item_ids(api.list_comments(tests.post_args('trams') || thread || jsonb_build_object(
    'limit', 100, 'cursor', api.list_comments(tests.post_args('trams') || thread || '{"limit": 2}') -> 'nextCursor'
  ))),
  (pg_temp.by_id(parent))[3:], title
)
from (values
  ('{}', null, 'list_comments continues behind its cursor among root comments of one moment'),
  (
    jsonb_build_object('parentCommentId', tests.id('1')), tests.id('1'),
    'list_comments continues behind its cursor among replies of one moment'
  )
) as c (thread, parent, title);

rollback to empty;

-- record_comment counts the comment, records the activity and notifies.
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
delete from app.feed_events;
delete from app.events;
insert into app.trending_scores (post_id, score, active_at)
select p.id, app.now() - interval '1 day', app.now() - interval '1 day' from app.posts as p;
select tests.comment('root', 'jonas', 'trams', null, app.now() - interval '1 hour');
select set_eq(
  'select post_id, kind::text, actor_id, hub_id, occurred_at from app.feed_events',
  $$
    select tests.id('trams') as post, 'commented', tests.id('jonas') as actor, hub, app.now() - interval '1 hour' as at
    from unnest(array[null, tests.id('elm')]) as hub
  $$,
  'a comment records activity in the author''s and their Hubs'' feeds'
);
select results_eq(
  'select type::text, actor_id, subject_id, hub_id, post_id, comment_id from app.events',
  $$
    values ('post_commented', tests.id('jonas'), null::uuid, null::uuid, tests.id('trams'), tests.id('root'))
  $$,
  'a comment emits one post_commented event'
);
select results_eq(
  $$
    select p.id, p.comment_count, s.score
    from app.posts as p
    join app.trending_scores as s on s.post_id = p.id
    order by p.comment_count desc
  $$,
  $$
    values
      (
        tests.id('trams'), 1,
        app.sum_of_scores(app.now() - interval '1 day', app.activity_score(2, app.now() - interval '1 hour'))
      ),
      (tests.id('bikes'), 0, app.now() - interval '1 day')
  $$,
  'a comment is counted and adds 2 to the trending score of its post'
);
select tests.comment('other root', 'maya', 'trams');
select tests.comment('reply', 'lena', 'trams', 'root', app.now());
select tests.comment('another', 'jonas', 'trams', 'root', app.now());
select results_eq(
  'select id, reply_count from app.comments where reply_count > 0', $$ values (tests.id('root'), 2) $$,
  'a root comment counts its own replies only'
);
select is(comment_count, 4, 'a post counts its comments and their replies') from app.posts where id = tests.id('trams');
select set_eq(
  $$ select hub_id, occurred_at from app.feed_events where actor_id = tests.id('jonas') and ended_at is null $$,
  $$ select hub, app.now() from unnest(array[null, tests.id('elm')]) as hub $$,
  'a second comment of a user moves their activity to now'
);
select is(count(*), 6::bigint, 'each comment emits one event, and each reply two') from app.events;

select * from finish();
rollback;
