select plan(14);

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
select tests.act_as('amara');
select is(api.delete_comment(jsonb_build_object('commentId', tests.id('of amara'))), '{}', 'it answers nothing');

select * from finish();
