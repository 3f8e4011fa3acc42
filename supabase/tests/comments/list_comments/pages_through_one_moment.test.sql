select plan(4);

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

select tests.act_as_guest();
select is(tests.listed(api.list_comments(tests.arguments('trams'))), pg_temp.expected(null), 'in the order of their ids');
select is(tests.listed_in_parts('list_comments', tests.arguments('trams')), pg_temp.expected(null), 'on pages as on one');
select is(tests.listed(api.list_comments(pg_temp.thread())), pg_temp.expected(tests.id('1')), 'in threads too');
select is(tests.listed_in_parts('list_comments', pg_temp.thread()), pg_temp.expected(tests.id('1')), 'either way');

select * from finish();
