begin;
select plan(134);
savepoint empty;

-- create_comment: is for the registered
select tests.elm();
select tests.person('anonymous', 1);
select tests.person('two', 2);
select tests.post('trams', 'lena');
select tests.discussion('locked', 'jonas', 'elm');

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.create_comment(%L)', tests.arguments(p_post) || '{"text": "Hello"}'));

select is(pg_temp.refusal(null, 'trams'), '42501', 'guests say nothing');
select is(pg_temp.refusal('anonymous', 'trams'), 'PT403 FORBIDDEN', 'nor do the anonymous');
select is(pg_temp.refusal('two', 'trams'), null, 'a registered person does');
select is(pg_temp.refusal('two', 'unknown'), 'PT404 POST_NOT_FOUND', 'about a post');
select is(pg_temp.refusal('two', 'locked'), 'PT404 POST_NOT_FOUND', 'that they see');
select is(pg_temp.refusal('maya', 'locked'), 'PT403 FORBIDDEN', 'and that is not private');
select tests.block('lena', 'maya');
select is(pg_temp.refusal('maya', 'trams'), 'PT404 POST_NOT_FOUND', 'whom its author has blocked finds none');
select is(count(*), 1::bigint, 'all of that leaves nothing') from app.comments;

rollback to empty;

-- create_comment: is for whose account goes on
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.post('trams', 'maya');
create function pg_temp.end_jonas() returns trigger language plpgsql security definer as $$ begin perform app.end_user(tests.id('jonas')); return null; end $$;
create trigger ends after insert on app.comments for each row execute function pg_temp.end_jonas();
select tests.authenticate_as('jonas');
select throws_ok(
  $$ select api.create_comment(tests.arguments('trams') || '{"text": "Too late"}') $$, 'PT401', 'UNAUTHORIZED', 'whose account ends meanwhile says nothing'
);

rollback to empty;

-- create_comment: joins threads
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.comment('root', 'jonas', 'trams');
select tests.comment('elsewhere', 'jonas', 'bikes');
select tests.comment('deleted', 'jonas', 'trams');
select tests.comment('its reply', 'jonas', 'trams', 'deleted');
update app.comments set author_id = null, body = null where id = tests.id('deleted');
select tests.comment('of amara', 'amara', 'trams');
select tests.comment('reply of jonas to her', 'jonas', 'trams', 'of amara');
select tests.comment('reply of amara', 'amara', 'trams', 'root');
select tests.comment('reply of maya to her', 'maya', 'trams', 'of amara');
select tests.block('amara', 'maya');

create function pg_temp.reply(p_parent text, p_text text default 'A reply')
returns jsonb
language sql
return api.create_comment(tests.arguments('trams') || jsonb_build_object('text', p_text, 'parentCommentId', tests.id(p_parent)));

create function pg_temp.refusal(p_parent text)
returns text
language sql
return tests.error_of(format('select pg_temp.reply(%L)', p_parent)) ->> 'code';

select tests.authenticate_as('maya');
create temporary table answers as select pg_temp.reply('root') as first;
select is(first -> 'parentCommentId', to_jsonb(tests.id('root')), 'a reply is below its root') from answers;
select is(
  api.create_comment(tests.arguments('trams') || jsonb_build_object('text', 'A reply to it', 'parentCommentId', first -> 'id')) -> 'parentCommentId',
  to_jsonb(tests.id('root')), 'and so is a reply to it'
)
from answers;
select is(pg_temp.refusal('elsewhere'), 'COMMENT_NOT_FOUND', 'what is said elsewhere is not replied to');
select is(pg_temp.refusal('unknown'), 'COMMENT_NOT_FOUND', 'nor what was never said');
select is(pg_temp.refusal('deleted'), 'COMMENT_NOT_FOUND', 'nor what was deleted');
select is(pg_temp.reply('its reply') -> 'parentCommentId', to_jsonb(tests.id('deleted')), 'whose thread goes on');
select is(pg_temp.refusal('of amara'), 'COMMENT_NOT_FOUND', 'what is hidden is not replied to');
select is(pg_temp.refusal('reply of amara'), 'COMMENT_NOT_FOUND', 'in a thread that is not either');
select is(pg_temp.refusal('reply of jonas to her'), 'COMMENT_NOT_FOUND', 'nor is anything in a hidden thread');
select is(pg_temp.refusal('reply of maya to her'), 'COMMENT_NOT_FOUND', 'not even what one said there oneself');
select is(
  tests.refusal('create_comment', tests.arguments('nothing') || jsonb_build_object('text', 'Lost', 'parentCommentId', tests.id('root'))), 'POST_NOT_FOUND', 'and first of all there is a post'
);
reset role;
select is(reply_count, 3, 'a root counts its own') from app.comments where id = tests.id('root');
select is_empty($$ select from app.comments where parent_id = tests.id('of amara') and author_id = tests.id('maya') and id <> tests.id('reply of maya to her') $$, 'and no others');

rollback to empty;

-- create_comment: says something
select tests.elm();
select tests.asset('picture', 'jonas');
select tests.asset('other picture', 'maya');
select tests.asset('face', 'jonas', 'profile_photo');
select tests.post('trams', 'lena');

create function pg_temp.say(p_args jsonb)
returns jsonb
language sql
return api.create_comment(tests.arguments('trams') || p_args);

select tests.authenticate_as('jonas');
create temporary table answers as
select pg_temp.say('{"text": "Hello", "parentCommentId": null, "assetId": null}') as text, pg_temp.say(jsonb_build_object('assetId', tests.id('picture'))) as picture;
select is(
  text - 'id',
  jsonb_build_object(
    'postId', tests.id('trams'), 'parentCommentId', null, 'author', app.user_lite(p),
    'text', 'Hello', 'assetId', null, 'replyCount', 0, 'createdAt', app.iso(app.now()), 'isDeleted', false
  ),
  'in words'
)
from answers, app.profiles as p where p.username = 'jonas';
select is(
  jsonb_build_array(picture -> 'assetId', picture -> 'text'), jsonb_build_array(tests.id('picture'), null), 'or pictures'
)
from answers;
select is(
  tests.error_of($$ select pg_temp.say(jsonb_build_object('assetId', tests.id('other picture'))) $$) #> '{details,issues,0,path}', '["assetId"]', 'one''s own'
);
select is(
  tests.error_of($$ select pg_temp.say(jsonb_build_object('assetId', tests.id('face'))) $$) #> '{details,issues,0,path}', '["assetId"]', 'of posts'
);
select is(tests.violation_of($$ select pg_temp.say('{}') $$), 'comments_have_content', 'nothing is not said');
reset role;
select set_eq(
  'select author_id, post_id, parent_id, body, asset_id from app.comments',
  $$
    values
      (tests.id('jonas'), tests.id('trams'), null::uuid, 'Hello', null::uuid), (tests.id('jonas'), tests.id('trams'), null, null, tests.id('picture'))
  $$,
  'by whoever says it'
);
select is(comment_count, 2, 'and counted') from app.posts;
select tests.authenticate_as('maya');
select is(app.comments_json(array(select c from app.comments as c where c.id = (text ->> 'id')::uuid)) -> 0, text, 'others read the same') from answers;

rollback to empty;

-- delete_comment: is for its author and the posts
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
return tests.refusal_of(p_caller, format('select api.delete_comment(%L)', jsonb_build_object('commentId', tests.id(p_comment))));

select is(pg_temp.refusal(null, 'one'), '42501', 'guests delete nothing');
select is(pg_temp.refusal('anonymous', 'one'), 'PT403 FORBIDDEN', 'the anonymous nothing of others');
select is(pg_temp.refusal('anonymous', 'unknown'), 'PT404 COMMENT_NOT_FOUND', 'which they see, or not');
select is(pg_temp.refusal('maya', 'one'), 'PT403 FORBIDDEN', 'nor does anybody else');
select is(pg_temp.refusal('maya', 'unknown'), 'PT404 COMMENT_NOT_FOUND', 'what was never said is not found');
select is(pg_temp.refusal('maya', 'of amara'), 'PT404 COMMENT_NOT_FOUND', 'nor what is hidden');
select is(pg_temp.refusal('jonas', 'one'), null, 'who said it deletes it');
select is(pg_temp.refusal('jonas', 'one'), 'PT404 COMMENT_NOT_FOUND', 'once');
select is(pg_temp.refusal('lena', 'two'), null, 'and so does whose post it is about');
select is(pg_temp.refusal('jonas', 'root'), null, 'what has replies as well');
select is(pg_temp.refusal('jonas', 'root'), 'PT404 COMMENT_NOT_FOUND', 'once');
select is(pg_temp.refusal('lena', 'root'), 'PT404 COMMENT_NOT_FOUND', 'whoever it is');
select set_eq(
  'select id, body from app.comments', $$ values (tests.id('root'), null), (tests.id('reply'), 'reply'), (tests.id('of amara'), 'of amara') $$, 'nothing else goes'
);
select tests.authenticate_as('amara');
select is(api.delete_comment(jsonb_build_object('commentId', tests.id('of amara'))), '{}', 'it answers nothing');

rollback to empty;

-- erase_comment: keeps threads
select tests.elm();
select tests.asset('picture', 'jonas');
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.comment('root', 'jonas', 'trams');
select tests.comment('reply', 'maya', 'trams', 'root');
select tests.comment('other reply', 'amara', 'trams', 'root');
select tests.comment('alone', 'maya', 'bikes');
select tests.comment('other root', 'maya', 'trams');
select tests.comment('reply to it', 'amara', 'trams', 'other root');
update app.comments set asset_id = tests.id('picture') where id = tests.id('root');
create temporary table before as table app.trending_scores;

select ok(app.erase_comment(tests.id('root')), 'it was there');
select results_eq(
  $$ select author_id, body, asset_id, reply_count, parent_id from app.comments where id = tests.id('root') $$, 'values (null::uuid, null::text, null::uuid, 2, null::uuid)',
  'a root with replies stays, without author, text and picture'
);
select is_empty($$ select from app.events where comment_id = tests.id('root') $$, 'nobody is told of it');
select results_eq('select tests.to_be_removed()', tests.ids('picture'), 'the picture goes');
select ok(not app.erase_comment(tests.id('root')), 'it is deleted once');
select ok(not app.erase_comment(tests.id('unknown')), 'and what was never said not at all');
select is(comment_count, 4, 'and counts no more') from app.posts where id = tests.id('trams');
select app.erase_comment(tests.id('reply'));
select is(reply_count, 1, 'it loses a reply') from app.comments where id = tests.id('root');
select app.erase_comment(tests.id('reply to it'));
select is(reply_count, 0, 'a root that was not deleted too') from app.comments where id = tests.id('other root');
select app.erase_comment(tests.id('other reply'));
select set_eq(
  'select id from app.comments', tests.ids('alone', 'other root'), 'with its last reply a deleted root goes, and no other'
);
select app.erase_comment(tests.id('alone'));
select results_eq('select id, comment_count from app.posts order by comment_count', $$ values (tests.id('bikes'), 0), (tests.id('trams'), 1) $$, 'each post counts its own');
select results_eq('select comment_id from app.events where comment_id is not null', tests.ids('other root'), 'as of none that is gone');
select set_eq('table app.trending_scores', 'table before', 'trending scores keep what was deleted');
select is_empty($$ select tests.who_may('select app.erase_comment(null)') $$, 'no role erases past the operation');

rollback to empty;

-- erase_comment: takes the act back
select tests.elm();
select tests.post('trams', 'lena');
select tests.comment('first', 'jonas', 'trams', null, app.now() - interval '3 hours');
select tests.comment('second', 'jonas', 'trams', null, app.now() - interval '2 hours');
select tests.comment('third', 'jonas', 'trams', 'second', app.now() - interval '1 hour');
select tests.post('bikes', 'lena');
select tests.comment('elsewhere', 'jonas', 'bikes');
select tests.comment('of maya', 'maya', 'trams', null, app.now());

create function pg_temp.commented(p_name text)
returns setof interval
language sql
as $$
  select distinct app.now() - e.occurred_at from app.feed_events as e
  where e.post_id = tests.id('trams') and e.kind = 'commented' and e.actor_id = tests.id(p_name) and e.lost_at is null
$$;

select app.erase_comment(tests.id('second'));
select results_eq($$ select pg_temp.commented('jonas') $$, array[interval '1 hour'], 'the last comment counts');
select app.erase_comment(tests.id('third'));
select results_eq($$ select pg_temp.commented('jonas') $$, array[interval '3 hours'], 'or the last that is left');
select set_eq(
  $$ select hub_id from app.feed_events where post_id = tests.id('trams') and actor_id = tests.id('jonas') and kind = 'commented' and lost_at is null $$, array[null, tests.id('elm')], 'in every stream'
);
select app.erase_comment(tests.id('first'));
select is_empty($$ select pg_temp.commented('jonas') $$, 'or none');
select results_eq($$ select pg_temp.commented('maya') $$, array[interval '0'], 'what others said counts on');

rollback to empty;

-- list_comments: are for whoever sees the post
select tests.elm();
select tests.post('trams', 'lena');
select tests.comment('comment ' || n, 'jonas', 'trams') from generate_series(1, 31) as n;
select tests.comment('reply ' || n, 'jonas', 'trams', 'comment 1') from generate_series(1, 31) as n;
select tests.discussion('locked', 'jonas', 'elm');

select tests.authenticate_as_guest();
select is(cardinality(tests.listed(api.list_comments(tests.arguments('trams')))), 30, 'a page has 30, for guests too');
select is(cardinality(tests.listed(api.list_comments(tests.arguments('trams') || '{"limit": 100}'))), 31, 'or up to 100');
select is(tests.refusal('list_comments', tests.arguments('trams') || '{"limit": 101}'), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('list_comments', tests.arguments('trams') || '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');
select is(
  cardinality(tests.listed(api.list_comments(tests.arguments('trams') || jsonb_build_object('parentCommentId', tests.id('comment 1'))))), 30, 'so does one of a thread'
);
select is(tests.refusal('list_comments', tests.arguments('unknown')), 'POST_NOT_FOUND', 'no post has none');
select is(tests.refusal('list_comments', tests.arguments('locked')), 'POST_NOT_FOUND', 'nor one that is hidden');
select is(app.comments_json('{}'), '[]', 'none are none');
select tests.authenticate_as('maya');
select is(tests.refusal('list_comments', tests.arguments('locked')), 'FORBIDDEN', 'a private one is refused to its members');
select is(cardinality(tests.listed(api.list_comments(tests.arguments('trams')))), 30, 'who read others as anybody');

rollback to empty;

-- list_comments: are oldest first
select tests.elm();
select tests.post('trams', 'jonas');
select tests.post('bikes', 'jonas');
select tests.comment('second', 'jonas', 'trams', null, app.now() - interval '2 hours');
select tests.comment('first', 'maya', 'trams', null, app.now() - interval '3 hours');
select tests.comment('third', 'amara', 'trams', null, app.now() - interval '1 hour');
select tests.comment('later reply', 'maya', 'trams', 'first', app.now());
select tests.comment('reply', 'jonas', 'trams', 'first', app.now() - interval '1 minute');
select tests.comment('elsewhere', 'maya', 'bikes');

create function pg_temp.thread(p_name text)
returns jsonb
language sql
return tests.arguments('trams') || jsonb_build_object('parentCommentId', tests.id(p_name));

select tests.authenticate_as_guest();
create temporary table answers as select api.list_comments(tests.arguments('trams')) as page;
select is(tests.listed(page), tests.ids('first', 'second', 'third'), 'without replies') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(page #> '{items,1}', app.comments_json(array(select c from app.comments as c where c.id = tests.id('second'))) -> 0, 'each by its card') from answers;
select is(tests.listed_in_parts('list_comments', tests.arguments('trams')), tests.listed(page), 'or one after the other') from answers;
select is(tests.listed(api.list_comments(pg_temp.thread('first'))), tests.ids('reply', 'later reply'), 'replies are a list of their own');
select is(tests.listed_in_parts('list_comments', pg_temp.thread('first')), tests.ids('reply', 'later reply'), 'in parts too');
select is(tests.listed(api.list_comments(pg_temp.thread('second'))), '{}', 'there may be none');
select is(tests.refusal('list_comments', pg_temp.thread('reply')), 'COMMENT_NOT_FOUND', 'a reply has none of its own');
select is(tests.refusal('list_comments', pg_temp.thread('elsewhere')), 'COMMENT_NOT_FOUND', 'nor has what is said elsewhere any here');
select is(tests.refusal('list_comments', pg_temp.thread('unknown')), 'COMMENT_NOT_FOUND', 'or what was never said');
reset role;
select tests.block('maya', 'lena');
select tests.authenticate_as('lena');
select is(tests.listed_in_parts('list_comments', tests.arguments('trams')), tests.ids('second', 'third'), 'what is hidden is left out, and pages are full');
select is(tests.refusal('list_comments', pg_temp.thread('first')), 'COMMENT_NOT_FOUND', 'with its thread');

rollback to empty;

-- list_comments: keeps threads of hidden people
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

create function pg_temp.listed(p_root text default null)
returns uuid[]
language sql
return tests.listed(api.list_comments(tests.arguments('trams') || jsonb_strip_nulls(jsonb_build_object('parentCommentId', tests.id(p_root)))));

create function pg_temp.refusal(p_root text)
returns text
language sql
return tests.refusal('list_comments', tests.arguments('trams') || jsonb_build_object('parentCommentId', tests.id(p_root)));

create function pg_temp.reply(p_parent text)
returns text
language sql
return tests.refusal('create_comment', tests.arguments('trams') || jsonb_build_object('text', 'A reply', 'parentCommentId', tests.id(p_parent)));

select tests.authenticate_as_guest();
select is(pg_temp.listed(), tests.ids('begun by jonas', 'begun by amara'), 'a thread of a suspended person that somebody else replied in stays in its place');
select is(
  api.list_comments(tests.arguments('trams')) #> '{items,0}',
  jsonb_build_object(
    'id', tests.id('begun by jonas'), 'postId', tests.id('trams'), 'parentCommentId', null, 'author', app.user_lite(null), 'text', null,
    'assetId', null, 'replyCount', 2, 'createdAt', app.iso(app.now() - interval '3 hours'), 'isDeleted', true
  ),
  'its root looks like a deleted one'
);
select is(pg_temp.listed('begun by jonas'), tests.ids('reply of maya'), 'the replies of others are listed');
select is(pg_temp.refusal('answered by jonas alone'), 'COMMENT_NOT_FOUND', 'a thread in which only the suspended person spoke is not there');
select is(pg_temp.refusal('reply of maya'), 'COMMENT_NOT_FOUND', 'a reply is no root');
select is(
  tests.listed(api.list_comments(tests.arguments('trams') || '{"limit": 1}')) || tests.listed(
    api.list_comments(tests.arguments('trams') || '{"limit": 1}' || jsonb_build_object('cursor', api.list_comments(tests.arguments('trams') || '{"limit": 1}') -> 'nextCursor'))
  ),
  tests.ids('begun by jonas', 'begun by amara'), 'pages go on behind it'
);
select is_empty($$ select from app.comments where author_id = tests.id('jonas') or body = 'begun by jonas' $$, 'the comment itself is hidden');
select tests.authenticate_as('maya');
select is(pg_temp.reply('begun by jonas'), 'COMMENT_NOT_FOUND', 'nobody replies to the root');
select is(pg_temp.reply('reply of maya'), null, 'the thread goes on below the replies of others');
reset role;
select app.end_user(tests.id('amara'));
select tests.authenticate_as_guest();
select is(pg_temp.listed(), tests.ids('begun by jonas', 'begun by amara'), 'an account that has ended and is not yet erased leaves its threads, too');
reset role;
select tests.block('jonas', 'maya');
select tests.block('ann', 'maya');
select tests.authenticate_as('maya');
select is(pg_temp.listed(), '{}', 'a block hides the thread, and one in which only a blocked person replied');
select is(pg_temp.refusal('begun by jonas'), 'COMMENT_NOT_FOUND', 'it is not listed either');
reset role;
delete from app.suspensions;
select tests.authenticate_as_guest();
select is(api.list_comments(tests.arguments('trams')) #>> '{items,0,text}', 'begun by jonas', 'all is back when the person is restored');
reset role;
select set_eq($$ select tests.who_may('select from app.hidden_comment_roots(null, null, null)') $$, array['anon', 'authenticated'], 'guests and members list comments');

rollback to empty;

-- list_comments: pages through one moment
select tests.person('maya');
select tests.post('trams', 'maya');
select tests.comment(n::text, 'maya', 'trams') from generate_series(1, 6) as n;
select tests.comment('reply ' || n, 'maya', 'trams', '1') from generate_series(1, 6) as n;
select tests.without_indexes();

create function pg_temp.expected(p_parent uuid)
returns uuid[]
language sql
return array(select c.id from app.comments as c where c.parent_id is not distinct from p_parent order by c.id);

create function pg_temp.thread()
returns jsonb
language sql
return tests.arguments('trams') || jsonb_build_object('parentCommentId', tests.id('1'));

select tests.authenticate_as_guest();
select is(tests.listed(api.list_comments(tests.arguments('trams'))), pg_temp.expected(null), 'in the order of their ids');
select is(tests.listed_in_parts('list_comments', tests.arguments('trams')), pg_temp.expected(null), 'on pages as on one');
select is(tests.listed(api.list_comments(pg_temp.thread())), pg_temp.expected(tests.id('1')), 'in threads too');
select is(tests.listed_in_parts('list_comments', pg_temp.thread()), pg_temp.expected(tests.id('1')), 'either way');

rollback to empty;

-- comments_json: show what was said
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.asset('picture', 'jonas');
select tests.post('trams', 'maya');
select tests.comment('root', 'jonas', 'trams', null, app.now() - interval '1 hour');
select tests.comment('reply', 'maya', 'trams', 'root');
update app.comments set body = null, asset_id = tests.id('picture') where id = tests.id('reply');
select tests.comment('deleted', 'maya', 'trams');
select tests.comment('its reply', 'jonas', 'trams', 'deleted');
update app.comments set author_id = null, body = null where id = tests.id('deleted');

create function pg_temp.listed(variadic p_names text[])
returns jsonb
language sql
return app.comments_json(array(select c from unnest(tests.ids(variadic p_names)) with ordinality as named (id, place) join app.comments as c using (id) order by named.place));

create function pg_temp.card(p_name text, p_change jsonb)
returns jsonb
language sql
return jsonb_build_object(
  'id', tests.id(p_name), 'postId', tests.id('trams'), 'parentCommentId', null, 'text', null, 'assetId', null, 'replyCount', 0,
  'createdAt', app.iso(app.now()), 'isDeleted', false
) || p_change;

select tests.authenticate_as_guest();
select is(
  pg_temp.listed('root') -> 0,
  pg_temp.card('root', jsonb_build_object('author', app.user_lite(p), 'text', 'root', 'replyCount', 1, 'createdAt', app.iso(app.now() - interval '1 hour'))),
  'who said what, when'
)
from app.profiles as p where p.username = 'jonas';
select is(
  pg_temp.listed('reply') -> 0,
  pg_temp.card('reply', jsonb_build_object('author', app.user_lite(p), 'parentCommentId', tests.id('root'), 'assetId', tests.id('picture'))),
  'in reply to what'
)
from app.profiles as p where p.username = 'maya';
select is(
  pg_temp.listed('deleted') -> 0, pg_temp.card('deleted', jsonb_build_object('author', app.user_lite(null), 'replyCount', 1, 'isDeleted', true)), 'and not what was deleted'
);
select is(
  tests.listed(jsonb_build_object('items', pg_temp.listed('reply', 'unknown', 'deleted', 'root'))), tests.ids('reply', 'deleted', 'root'), 'in the order that is asked for'
);
reset role;
select tests.block('jonas', 'maya');
select tests.authenticate_as('maya');
select is(tests.listed(jsonb_build_object('items', pg_temp.listed('root', 'reply'))), tests.ids('reply'), 'those that one sees');

rollback to empty;

-- record_comment: tells and shows
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
delete from app.feed_events;
delete from app.events;
insert into app.trending_scores (post_id, score, active_at) select p.id, app.now() - interval '1 day', app.now() - interval '1 day' from app.posts as p;
select tests.comment('root', 'jonas', 'trams', null, app.now() - interval '1 hour');
select set_eq(
  'select post_id, kind::text, actor_id, hub_id, occurred_at from app.feed_events',
  $$ select tests.id('trams') as post, 'commented', tests.id('jonas') as actor, hub, app.now() - interval '1 hour' as at from unnest(array[null, tests.id('elm')]) as hub $$,
  'the post is in the stream of who comments, and in those of their Hubs'
);
select results_eq(
  'select type::text, actor_id, subject_id, hub_id, post_id, comment_id from app.events',
  $$ select 'post_commented', tests.id('jonas') as actor, null::uuid as subject, null::uuid, tests.id('trams') as post, tests.id('root') $$, 'its author is told'
);
select results_eq(
  'select p.id, p.comment_count, s.score from app.posts as p join app.trending_scores as s on s.post_id = p.id order by p.comment_count desc',
  $$
    values
      (tests.id('trams'), 1, app.raised_score(app.now() - interval '1 day', 2)), (tests.id('bikes'), 0, app.now() - interval '1 day')
  $$,
  'a comment is counted and adds 2 to the trending score of its post'
);
select tests.comment('other root', 'maya', 'trams');
select tests.comment('reply', 'lena', 'trams', 'root', app.now());
select tests.comment('another', 'jonas', 'trams', 'root', app.now());
select results_eq(
  'select id, reply_count from app.comments where reply_count > 0', $$ values (tests.id('root'), 2) $$, 'a root counts its replies'
);
select is(comment_count, 4, 'the post all of them') from app.posts where id = tests.id('trams');
select set_eq(
  $$ select hub_id, occurred_at from app.feed_events where actor_id = tests.id('jonas') $$, $$ select hub, app.now() from unnest(array[null, tests.id('elm')]) as hub $$,
  'who comments again brings it up again'
);
select is(count(*), 4::bigint, 'and is told of again') from app.events;

rollback to empty;

-- remove_comment: is for its author and the posts
select tests.elm();
select tests.post('trams', 'lena');
select tests.comment(name, 'jonas', 'trams') from unnest(array['one', 'two', 'root']) as name;
select tests.comment('reply', 'maya', 'trams', 'root');

create function pg_temp.refusal(p_caller text, p_comment text)
returns text
language sql
return tests.refusal_of(p_caller, format('select app.remove_comment(%L)', tests.id(p_comment)));

select is(pg_temp.refusal('maya', 'one'), 'PT403 FORBIDDEN', 'not for others');
select is(pg_temp.refusal('maya', 'unknown'), 'PT404 COMMENT_NOT_FOUND', 'nor what is not there');
select is(pg_temp.refusal('jonas', 'one'), null, 'who said it');
select is(pg_temp.refusal('lena', 'two'), null, 'or whose post it is about');
select is(pg_temp.refusal('lena', 'root'), null, 'empties what has replies');
select is(pg_temp.refusal('lena', 'root'), 'PT404 COMMENT_NOT_FOUND', 'which is gone then');
select set_eq('select id from app.comments', tests.ids('root', 'reply'), 'and stays for them');
select set_eq($$ select tests.who_may('select app.remove_comment(null)') $$, array['authenticated'], 'nothing is for guests');

rollback to empty;

-- require_commentable: is a post that is not private
select tests.elm();
select tests.post('public', 'jonas');
select tests.post('in a Hub', 'jonas', 'public_hub');
select tests.discussion('locked', 'jonas', 'elm');
select is(tests.refusal_of(null, $$ select app.require_commentable(tests.id('public')) $$), null, 'a public one');
select is(tests.refusal_of(null, $$ select app.require_commentable(tests.id('in a Hub')) $$), null, 'in Hubs or not');
select is(tests.refusal_of('maya', $$ select app.require_commentable(tests.id('locked')) $$), 'PT403 FORBIDDEN', 'a private one is for no member');
select is(tests.refusal_of('jonas', $$ select app.require_commentable(tests.id('locked')) $$), 'PT403 FORBIDDEN', 'or its author');
select is(tests.refusal_of('lena', $$ select app.require_commentable(tests.id('locked')) $$), 'PT404 POST_NOT_FOUND', 'and to others not there');

rollback to empty;

-- sees_thread: depends on blocks alone
select tests.elm();
select tests.post('trams', 'lena');
select tests.comment('root', 'jonas', 'trams');
select tests.block('jonas', 'amara');

select tests.authenticate_as_guest();
select ok(app.sees_thread(tests.id('root')), 'a guest sees every thread');
select tests.authenticate_as('maya');
select ok(app.sees_thread(tests.id('root')), 'a member sees the thread of somebody else');
select tests.authenticate_as('amara');
select ok(not app.sees_thread(tests.id('root')), 'the thread of a person who blocked the caller is hidden');
select tests.authenticate_as('jonas');
select ok(app.sees_thread(tests.id('root')), 'the blocker sees a thread of their own');
reset role;
insert into app.suspensions (user_id) values (tests.id('jonas'));
select tests.authenticate_as('maya');
select ok(app.sees_thread(tests.id('root')), 'the thread of a suspended person stays');
reset role;
select set_eq($$ select tests.who_may('select app.sees_thread(null)') $$, array['anon', 'authenticated'], 'the policy asks for guests and members');

select * from finish();
rollback;
