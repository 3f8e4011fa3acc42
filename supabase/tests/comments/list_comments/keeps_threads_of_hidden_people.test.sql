select plan(14);

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

select tests.act_as_guest();
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
select tests.act_as('maya');
select is(pg_temp.reply('begun by jonas'), 'COMMENT_NOT_FOUND', 'nobody replies to the root');
select is(pg_temp.reply('reply of maya'), null, 'the thread goes on below the replies of others');
reset role;
select app.end_user(tests.id('amara'));
select tests.act_as_guest();
select is(pg_temp.listed(), tests.ids('begun by jonas', 'begun by amara'), 'an account that has ended and is not yet erased leaves its threads, too');
reset role;
select tests.block('jonas', 'maya');
select tests.block('ann', 'maya');
select tests.act_as('maya');
select is(pg_temp.listed(), '{}', 'a block hides the thread, and one in which only a blocked person replied');
select is(pg_temp.refusal('begun by jonas'), 'COMMENT_NOT_FOUND', 'it is not listed either');
reset role;
delete from app.suspensions;
select tests.act_as_guest();
select is(api.list_comments(tests.arguments('trams')) #>> '{items,0,text}', 'begun by jonas', 'all is back when the person is restored');
reset role;
select set_eq($$ select tests.who_may('select from app.hidden_comment_roots(null, null, null)') $$, array['anon', 'authenticated'], 'guests and members list comments');

select * from finish();
