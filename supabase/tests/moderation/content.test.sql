begin;
select plan(20);
savepoint empty;

-- remove_content removes the reported post, comment or message by a decision, and closes its reports.
-- docs/product.md S6, S10, S18
select tests.elm();
select tests.post('trams', 'maya'), tests.post('buses', 'maya'), tests.comment('loud', 'jonas', 'buses');
select tests.discussion('talk', 'amara', 'elm'), tests.message('rude', 'maya', 'talk in elm');
update app.discussions set message_count = 1;
select tests.report('jonas', p_post => 'trams'), tests.report('lena', p_comment => 'loud');
select tests.report('amara', p_message => 'rude'), tests.report('amara', p_user => 'maya');
create function pg_temp.remove(
  p_kind text, p_reason app.report_reason default 'spam', p_statement text default 'It sells pills.'
)
returns void
language sql
as $$
  select staff.remove_content(q.report_id, p_reason, p_statement)
  from staff.report_queue as q
  where q.target_kind::text = p_kind
$$;
select tests.log_in_as('nina', 'staff_moderator');
select throws_ok(
  format($$ select pg_temp.remove('post', %L, %L) $$, reason, statement), 'PT422', 'REASON_MISSING',
  'remove_content raises REASON_MISSING without a ' || missing
)
from (values (null, 'It sells pills.', 'reason'), ('spam', ' ', 'statement')) as c (reason, statement, missing);
select lives_ok(format('select pg_temp.remove(%L)', kind), 'a moderator removes a reported ' || kind)
from unnest(array['post', 'comment', 'message']) as kind;
select throws_ok(
  $$ select pg_temp.remove('user') $$, 'PT409', 'REPORT_NOT_OF_CONTENT', 'a moderator cannot remove a reported user'
);
reset session authorization;

select is(
  tests.value_as(
    'maya', $$ array(select id from app.posts where author_id = tests.id('maya') and visibility = 'public') $$
  ),
  to_jsonb(tests.ids('buses')), 'remove_content hides the reported post alone, also from its author'
);
select results_eq(
  'select author_id, body from app.messages union all select author_id, body from app.comments',
  $$ values (null::uuid, null::text) $$, 'remove_content deletes the reported comment and empties the reported message'
);
select bag_eq(
  'select user_id, state::text from app.reports',
  $$ values (null, 'actioned'), (null, 'actioned'), (null, 'actioned'), (tests.id('maya'), 'open') $$,
  'remove_content closes the reports of the removed content as actioned'
);

select tests.report('lena', p_message => 'rude'), tests.report('lena', p_post => 'trams');
set local session authorization nina;
select pg_temp.remove(kind) from unnest(array['post', 'message']) as kind;
reset session authorization;
select results_eq(
  $$ select details ->> 'targetKind', details ->> 'wasThere' from tests.audit_entries('remove_content') as details $$,
  $$ values ('post', 'true'), ('comment', 'true'), ('message', 'true'), ('post', 'false'), ('message', 'false') $$,
  'the audit log records whether the removed content existed'
);
select bag_eq(
  $$ select target_id, concat_ws(', ', action, reason, statement, decided_by) from app.decisions $$,
  $$ select id, 'content_removed, spam, It sells pills., nina' from unnest(tests.ids('trams', 'loud', 'rude')) as id $$,
  'remove_content makes a decision for each content that existed'
);

rollback to empty;

-- remove_content decides nothing about an author whose account has ended.
select tests.elm();
select tests.post('trams', 'amara'), tests.comment('loud', 'maya', 'trams');
select tests.discussion('talk', 'amara', 'elm'), tests.message('rude', 'maya', 'talk in elm');
update app.discussions set message_count = 1;
select tests.report('amara', p_message => 'rude'), tests.report('amara', p_comment => 'loud');
-- The worker has not yet erased what the account wrote.
select app.end_user(tests.id('maya'));
select tests.remove_as_staff(r.id) from app.reports as r;
select results_eq(
  'select is_deleted from app.messages union all select false from app.comments', array[true],
  'remove_content deletes the message and the comment of an ended account'
);
select is_empty('select from app.removed_contents', 'remove_content keeps nothing of an ended account');
select is_empty('select from app.decisions', 'remove_content makes no decision about an ended account');
select results_eq(
  'select state::text from app.reports', array['actioned', 'actioned'],
  'remove_content closes reports about an ended account'
);

rollback to empty;

-- why_visible agrees with the policy of posts (docs/product.md S17).
select tests.elm();
select tests.person(name) from unnest(array['olaf', 'ends', 'bad']) as name;
select tests.post('public', 'maya'), tests.post('of ends', 'ends'), tests.post('of bad', 'bad');
select tests.post('locked', 'maya', 'private_locked_hub'), tests.placement('locked', 'elm');
select tests.post('hub', 'jonas', 'public_hub'), tests.placement('hub', 'elm');
select tests.post('removed', 'maya'), app.hide_post(tests.id('removed'));
select tests.block('maya', 'olaf'), tests.block('jonas', 'amara');
select tests.account_deletion('ends');
insert into app.suspensions (user_id) values (tests.id('bad'));
create temporary table pairs as
select
  viewer.name as viewer, p.id as post_id,
  tests.value_as(viewer.name, format('exists (select from app.posts where id = %L)', p.id)) = 'true' as sees
from unnest(array['amara', 'maya', 'jonas', 'lena', 'olaf', 'ends', 'bad', null]) as viewer (name)
cross join (select id from app.posts union all select tests.id('no post')) as p;
create function pg_temp.answer(p_viewer text, p_post_id uuid)
returns boolean
language sql
as $$ select holds from staff.why_visible(tests.id(p_viewer), p_post_id) where rule = 'the viewer sees the post' $$;

select is_empty(
  'select viewer, post_id, sees from pairs where sees is distinct from pg_temp.answer(viewer, post_id)',
  'why_visible answers for each viewer and post what the policy of posts decides'
);
select ok(
  count(*) filter (where sees) > 9 and count(*) filter (where not sees) > 9,
  'the pairs of viewer and post cover visible and hidden posts'
)
from pairs;
select tests.log_in_as('nina', 'staff_moderator');
select set_config('request.jwt.claims', '{"email": "nina"}', true);
select bag_eq(
  format('select rule from staff.why_visible(%L, %L) where not holds', tests.id('olaf'), tests.id('public')),
  array[
    'the viewer is the author', 'the post is in a Hub of the viewer', 'no block exists between author and viewer',
    'the viewer sees the post'
  ],
  'why_visible names each rule that does not hold for the viewer'
);
select is(current_setting('request.jwt.claims'), '{"email": "nina"}', 'why_visible restores the claims of the caller');
reset session authorization;
select is(
  array(select tests.audit_entries('why_visible')) @> array[
    jsonb_build_object('by', 'nina', 'viewerId', tests.id('olaf'), 'postId', tests.id('public'))
  ],
  true, 'the audit log has each question of why_visible with its viewer and post'
);

select * from finish();
rollback;
