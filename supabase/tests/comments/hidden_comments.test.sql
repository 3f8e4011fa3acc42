begin;
select plan(46);
-- A world: maya and jonas wrote under each other's posts, lena and ann under maya's.
create function pg_temp.world()
returns void
language plpgsql
as $$
begin
  perform tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
  perform tests.post('trams', 'maya'), tests.post('bikes', 'jonas'), tests.post('cars', 'lena');
  perform tests.comment('of jonas', 'jonas', 'trams', p_created_at => app.now() - interval '2 minutes');
  perform tests.comment('alone', 'jonas', 'trams', p_created_at => app.now() - interval '1 minute');
  perform tests.comment('of ann', 'ann', 'trams');
  perform tests.comment('below jonas', 'lena', 'trams', 'of jonas');
  perform tests.comment('himself', 'jonas', 'trams', 'of jonas');
  perform tests.comment('below ann', 'jonas', 'trams', 'of ann');
  perform tests.comment('of maya', 'maya', 'bikes');
  perform tests.comment('elsewhere', 'jonas', 'cars'), tests.comment('maya elsewhere', 'maya', 'cars');
end
$$;

create function pg_temp.act(p_caller text, p_operation text, p_other text)
returns jsonb
language sql
return tests.value_as(p_caller, format('api.%I(%L)', p_operation, tests.user_args(p_other)));

create function pg_temp.args(p_comment text)
returns jsonb
language sql
return jsonb_build_object('commentId', tests.id(p_comment))
  || tests.post_args('trams') || jsonb_build_object('parentCommentId', tests.id(p_comment), 'text', 'Hi');

create function pg_temp.hidden()
returns text[]
language sql
return array(select c.body from app.comments as c where c.is_hidden order by c.body);

create function pg_temp.counts()
returns jsonb
language sql
return (
  select jsonb_object_agg(name, count)
  from (
    select p.thought_text as name, p.comment_count as count from app.posts as p
    union all
    select coalesce(c.body, 'deleted'), c.reply_count from app.comments as c where c.parent_id is null
  ) as counted
);

create function pg_temp.threads(p_caller text, p_post text default 'trams')
returns jsonb
language sql
return (
  select coalesce(jsonb_agg(jsonb_build_array(
    coalesce(root ->> 'text', 'deleted'), root -> 'replyCount',
    (
      select jsonb_agg(reply -> 'text')
      from jsonb_array_elements(tests.value_as(p_caller, format(
        'api.list_comments(%L)', tests.post_args(p_post) || jsonb_build_object('parentCommentId', root -> 'id')
      )) -> 'items') as reply
    )
  )), '[]')
  from jsonb_array_elements(
    tests.value_as(p_caller, format('api.list_comments(%L)', tests.post_args(p_post))) -> 'items'
  ) as root
);

savepoint empty;

-- A block hides what each wrote under the other's posts from everybody, and counts follow; its end brings it back.
-- docs/product.md C7
select pg_temp.world();
create temporary table before as select pg_temp.counts() as counts, pg_temp.threads(null) as threads;
select pg_temp.act('maya', 'block_user', 'jonas');
select is(
  pg_temp.hidden(), '{alone,"below ann",himself,"of jonas","of maya"}',
  'a block hides the comments of each of the pair under the posts of the other, and no others'
);
select is(
  pg_temp.counts(),
  (select counts || '{"trams": 2, "bikes": 0, "of jonas": 1, "of ann": 0}' from before),
  'hidden comments count neither on their post nor in their thread'
);
select is(pg_temp.threads(caller), '[["deleted", 1, ["below jonas"]], ["of ann", 0, null]]', title)
from (values
  (null, 'a guest sees a hidden root with replies of others as a deleted one, and no other hidden comment'),
  ('maya', 'the author of the post sees the same'),
  ('ann', 'a third user sees the same')
) as c (caller, title);
select is(
  pg_temp.threads(null, 'bikes'), '[]',
  'a guest sees no comment of the blocker under the blocked user''s post'
);
select is(
  (tests.value_as(null, format('api.list_comments(%L)', tests.post_args('trams'))) -> 'items' -> 0)
    - array['id', 'createdAt', 'postId'],
  jsonb_build_object(
    'parentCommentId', null, 'author', app.user_lite(null), 'text', null, 'replyCount', 1, 'isDeleted', true
  ) || tests.picture(),
  'a hidden root shows no text, author and asset'
);
select is(tests.refusal_as(caller, format('select api.%s(%L)', operation, args)), expected, title)
from (values
  (
    'maya', 'delete_comment', pg_temp.args('of jonas'), 'PT404 COMMENT_NOT_FOUND',
    'the post''s author does not find a hidden comment to delete'
  ),
  ('lena', 'create_comment', pg_temp.args('of jonas'), 'PT404 COMMENT_NOT_FOUND', 'nobody replies to a hidden comment'),
  ('ann', 'create_comment', pg_temp.args('below jonas'), null, 'a user replies to others below a hidden root'),
  (
    'maya', 'delete_comment', pg_temp.args('below jonas'), null,
    'the post''s author deletes a reply of others below a hidden root'
  )
) as c (caller, operation, args, expected, title);
delete from app.comments where body = 'Hi';
select is(
  tests.value_as(
    'jonas', $$ array(select c.body from app.comments as c where c.author_id = tests.id('jonas') order by 1) $$
  ),
  '["alone", "below ann", "elsewhere", "himself", "of jonas"]', 'the writer of hidden comments sees them'
);
select set_eq(
  $$
    select item ->> 'text'
    from jsonb_array_elements(tests.value_as('jonas', 'to_jsonb(array(select app.export_comments()))')) as item
  $$,
  array['alone', 'below ann', 'elsewhere', 'himself', 'of jonas'], 'the data export of the writer has hidden comments'
);

rollback to empty;

-- The end of a block brings comments back, once no block of the pair is left (docs/product.md C7).
select pg_temp.world();
create temporary table before as select pg_temp.counts() as counts, pg_temp.threads(null) as threads;
select pg_temp.act('maya', 'block_user', 'jonas');
select tests.block('jonas', 'maya');
select is(pg_temp.act('maya', 'unblock_user', 'jonas'), '{"blocked": false}', 'a user unblocks a user who blocks them');
select is(cardinality(pg_temp.hidden()), 5, 'comments stay hidden while one of two blocks is left');
select pg_temp.act('jonas', 'unblock_user', 'maya');
select is(pg_temp.hidden(), '{}', 'the end of the last block shows all comments again');
select is(pg_temp.counts(), (select counts from before), 'the end of a block restores all counts');
select is(pg_temp.threads(null), (select threads from before), 'the end of a block restores all threads');
insert into app.suspensions (user_id) values (tests.id('jonas'));
create temporary table suspended as select pg_temp.counts() as counts, pg_temp.threads(null) as threads;
select tests.block('maya', 'jonas');
select pg_temp.act('maya', 'unblock_user', 'jonas');
select is(
  pg_temp.counts(), (select counts from suspended),
  'a block of a suspended user, and its end, change no count for good'
);
select is(
  pg_temp.threads(null), (select threads from suspended),
  'comments of a suspended user stay hidden after a block'
);

rollback to empty;

-- Deletions of hidden comments change no count, and a deleted root waits for its hidden replies.
select pg_temp.world();
select pg_temp.act('maya', 'block_user', 'jonas');
create temporary table before as select pg_temp.counts() as counts;
select tests.value_as('jonas', format('api.delete_comment(%L)', jsonb_build_object('commentId', tests.id(name))))
from unnest(array['alone', 'himself']) as name;
select is(
  pg_temp.counts(), (select counts - 'alone' from before),
  'the writer deletes hidden comments, which changes no count'
);
select tests.value_as('jonas', format('api.delete_comment(%L)', jsonb_build_object('commentId', tests.id('of jonas'))));
select is(
  pg_temp.threads(null), '[["deleted", 1, ["below jonas"]], ["of ann", 0, null]]',
  'a hidden root that is deleted stays as a deleted one'
);
select is((pg_temp.counts() ->> 'trams')::integer, 2, 'the deletion of a hidden root changes no count');
select tests.value_as('ann', format('api.delete_comment(%L)', jsonb_build_object('commentId', tests.id('of ann'))));
select is(
  pg_temp.threads(null), '[["deleted", 1, ["below jonas"]]]',
  'a deleted root whose replies are all hidden is not shown'
);
select is((pg_temp.counts() ->> 'trams')::integer, 1, 'the deletion of a root whose replies are all hidden counts');
select pg_temp.act('maya', 'unblock_user', 'jonas');
select is(
  pg_temp.threads(null), '[["deleted", 1, ["below jonas"]], ["deleted", 1, ["below ann"]]]',
  'a hidden reply to a deleted root is back after the block'
);
select pg_temp.act('maya', 'block_user', 'jonas');
select app.delete_comment(tests.id('below ann'));
select is_empty(
  $$ select from app.comments where id = tests.id('of ann') $$,
  'a deleted root goes with its last reply, hidden or not'
);
select is((pg_temp.counts() ->> 'trams')::integer, 1, 'the deletion of a hidden reply changes no count');

rollback to empty;

-- Notifications about hidden comments are hidden on both sides, and from third users (docs/product.md C7).
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.post('trams', 'maya');
select tests.comment('of lena', 'lena', 'trams');
select tests.comment('@ann look', 'jonas', 'trams', 'of lena');
create temporary table before as
select name, tests.inbox_version(name) as version from unnest(array['maya', 'lena', 'ann']) as name;
create function pg_temp.unread()
returns jsonb
language sql
return (
  select jsonb_object_agg(name, jsonb_build_array(
    tests.unread_count(name), jsonb_array_length(tests.inbox(name) -> 'items'),
    (select count(*) from app.due_notifications as d where d.recipient_id = tests.id(name))
  ))
  from unnest(array['maya', 'lena', 'ann']) as name
);
select is(
  pg_temp.unread(), '{"maya": [2, 2, 2], "lena": [1, 1, 1], "ann": [1, 1, 1]}',
  'comments notify the post''s author, the thread''s author and the mentioned user'
);
select pg_temp.act('maya', 'block_user', 'jonas');
select is(
  pg_temp.unread(), '{"maya": [1, 1, 1], "lena": [0, 0, 0], "ann": [0, 0, 0]}',
  'a hidden comment is in no inbox, count and delivery'
);
select ok(
  tests.inbox_version(name) > version, format('hiding a comment raises the inbox version of %s', name)
) from before;
update before set version = tests.inbox_version(name);
select tests.mark_all_read('lena');
select pg_temp.act('maya', 'unblock_user', 'jonas');
select is(
  pg_temp.unread(), '{"maya": [2, 2, 2], "lena": [1, 1, 1], "ann": [1, 1, 1]}',
  'notifications are back after the block, unread as they were'
);
select ok(
  tests.inbox_version(name) > version, format('showing a comment raises the inbox version of %s', name)
) from before;

rollback to empty;

-- The thread of a blocked user is hidden from the caller, under the post of somebody else too.
select pg_temp.world();
select tests.block('lena', 'ann');
create function pg_temp.rows_below_ann(p_caller text)
returns jsonb
language sql
return tests.value_as(
  p_caller, format('array(select c.body from app.comments as c where c.parent_id = %L)', tests.id('of ann'))
);
select is(
  pg_temp.rows_below_ann('lena'), '[]',
  'a user reads no reply of a third user below a comment of a user they block'
);
select is(pg_temp.rows_below_ann('maya'), '["below ann"]', 'others read that reply');
select tests.comment('of lena', 'lena', 'trams', 'of ann');
select is(
  pg_temp.rows_below_ann('lena') @> '["below ann"]', true,
  'a user reads the replies in a thread of a user they block once they wrote there'
);

rollback to empty;

-- Staff restores a comment of a blocked pair as a hidden one.
select pg_temp.world();
select tests.remove_as_staff(tests.report('lena', p_comment => name)) from unnest(array['alone', 'of jonas']) as name;
select pg_temp.act('maya', 'block_user', 'jonas');
create temporary table before as select pg_temp.counts() ->> 'trams' as count;
select app.restore_comment(k.decision_id) from app.removed_contents as k;
select is(
  pg_temp.hidden(), '{alone,"below ann",himself,"of jonas","of maya"}',
  'staff restores comments of a blocked pair as hidden ones'
);
select is(
  pg_temp.counts() ->> 'trams', (select count from before),
  'a comment that is restored as a hidden one does not count'
);
select pg_temp.act('maya', 'unblock_user', 'jonas');
select is(
  pg_temp.counts() - array['cars', 'elsewhere', 'maya elsewhere'],
  '{"alone": 0, "bikes": 1, "trams": 6, "of ann": 1, "of maya": 0, "of jonas": 2}',
  'a comment that was restored as a hidden one counts after the block'
);

rollback to empty;

-- A merge hides and shows comments as the blocks say that it moves.
select pg_temp.world();
select tests.person('install');
select tests.comment('of install', 'install', 'bikes');
select tests.block('install', 'jonas');
select is(pg_temp.hidden(), '{"of install"}', 'a block hides comments of this pair alone');
select app.end_user(tests.id('install'), tests.id('maya'));
select is(
  pg_temp.hidden(), '{alone,"below ann",himself,"of install","of jonas","of maya"}',
  'a merge hides comments by the blocks that it moves'
);
select is((pg_temp.counts() ->> 'bikes')::integer, 0, 'counts follow a merge that moves blocks');

select * from finish();
rollback;
