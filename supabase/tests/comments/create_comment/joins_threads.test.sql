select plan(13);

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

select tests.act_as('maya');
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

select * from finish();
