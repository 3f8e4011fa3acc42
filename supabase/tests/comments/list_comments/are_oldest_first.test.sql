select plan(12);

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

select tests.act_as_guest();
create temporary table answers as select api.list_comments(tests.arguments('trams')) as page;
select is(tests.listed(page), tests.ids('first', 'second', 'third'), 'without replies') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(page #> '{items,1}', app.listed_comments(array(select c from app.comments as c where c.id = tests.id('second'))) -> 0, 'each by its card') from answers;
select is(tests.listed_in_parts('list_comments', tests.arguments('trams')), tests.listed(page), 'or one after the other') from answers;
select is(tests.listed(api.list_comments(pg_temp.thread('first'))), tests.ids('reply', 'later reply'), 'replies are a list of their own');
select is(tests.listed_in_parts('list_comments', pg_temp.thread('first')), tests.ids('reply', 'later reply'), 'in parts too');
select is(tests.listed(api.list_comments(pg_temp.thread('second'))), '{}', 'there may be none');
select is(tests.refusal('list_comments', pg_temp.thread('reply')), 'COMMENT_NOT_FOUND', 'a reply has none of its own');
select is(tests.refusal('list_comments', pg_temp.thread('elsewhere')), 'COMMENT_NOT_FOUND', 'nor has what is said elsewhere any here');
select is(tests.refusal('list_comments', pg_temp.thread('unknown')), 'COMMENT_NOT_FOUND', 'or what was never said');
reset role;
select tests.block('maya', 'lena');
select tests.act_as('lena');
select is(tests.listed_in_parts('list_comments', tests.arguments('trams')), tests.ids('second', 'third'), 'what is hidden is left out, and pages are full');
select is(tests.refusal('list_comments', pg_temp.thread('first')), 'COMMENT_NOT_FOUND', 'with its thread');

select * from finish();
