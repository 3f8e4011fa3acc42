select plan(8);

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

select * from finish();
