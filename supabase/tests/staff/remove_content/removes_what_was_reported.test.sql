select plan(10);

select tests.elm();
select tests.post('trams', 'maya'), tests.post('buses', 'maya'), tests.comment('loud', 'jonas', 'buses');
select tests.discussion('talk', 'amara', 'elm'), tests.message('rude', 'maya', 'talk in elm');
select tests.report('jonas', p_post => 'trams'), tests.report('lena', p_comment => 'loud'), tests.report('amara', p_message => 'rude');
select tests.report('amara', p_user => 'maya');
create function pg_temp.remove(p_kind text, p_reason text default 'spam')
returns void
language sql
as $$ select staff.remove_content(q.report_id, p_reason) from staff.report_queue as q where q.target_kind = p_kind $$;
select tests.log_in_as('nina', 'staff_moderator');
select throws_ok($$ select pg_temp.remove('post', ' ') $$, 'PT422', 'REASON_MISSING', 'not without a reason');
select lives_ok(format('select pg_temp.remove(%L)', kind), 'nina removes the ' || kind) from unnest(array['post', 'comment', 'message']) as kind;
select throws_ok($$ select pg_temp.remove('user') $$, 'PT409', 'REPORT_NOT_OF_CONTENT', 'a person is not removed');
reset session authorization;

select results_eq('select id from app.posts where author_id = tests.id(''maya'') and visibility = ''public''', array[tests.id('buses')], 'the post is gone');
select is_empty('select from app.comments', 'so is the comment');
select results_eq('select author_id, body from app.messages', $$ values (null::uuid, null::text) $$, 'the message is an empty one');
select results_eq($$ select user_id from app.reports where state = 'open' $$, array[tests.id('maya')], 'and their reports are closed');

select tests.report('lena', p_message => 'rude'), tests.report('lena', p_post => 'trams');
set local session authorization nina;
select pg_temp.remove(kind) from unnest(array['post', 'message']) as kind;
reset session authorization;
select results_eq(
  $$ select details ->> 'targetKind', details ->> 'wasThere' from tests.audited('remove_content') as details $$,
  $$ values ('post', 'true'), ('comment', 'true'), ('message', 'true'), ('post', 'false'), ('message', 'false') $$,
  'the audit log tells what was removed from what was gone'
);

select * from finish();
