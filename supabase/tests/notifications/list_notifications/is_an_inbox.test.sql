select plan(12);

select tests.elm();
select tests.notification('n' || n, 'jonas', p_actor => 'maya', p_created_at => app.now() - n * interval '1 minute') from generate_series(1, 101) as n;
update app.notifications set read_at = app.now() where id = any (tests.ids('n2', 'n3'));
create temporary table pages as
select tests.inbox('jonas', '{"limit": 2}') as first, tests.inbox('jonas', '{"limit": 2, "unreadOnly": true}') as unread;

select set_eq('select jsonb_object_keys(first) from pages', array['items', 'nextCursor', 'unreadCount', 'inboxVersion'], 'its parts');
select results_eq('select tests.items(first) from pages', tests.ids('n1', 'n2'), 'newest first');
select results_eq(
  $$ select tests.items(tests.inbox('jonas', jsonb_build_object('limit', 2, 'cursor', first -> 'nextCursor'))) from pages $$, tests.ids('n3', 'n4'), 'then the next'
);
select results_eq('select tests.items(unread) from pages', tests.ids('n1', 'n4'), 'or the unread alone');
select is((first ->> 'unreadCount')::integer, 99, 'with the badge of all') from pages;
select is((unread ->> 'unreadCount')::integer, 99, 'whatever is listed') from pages;
select is((first ->> 'inboxVersion')::integer, tests.inbox_version('jonas'), 'and its version') from pages;
select is(jsonb_array_length(tests.inbox('jonas') -> 'items'), 30, 'thirty at once');
select is(jsonb_array_length(tests.inbox('jonas', '{"limit": 100}') -> 'items'), 100, 'or a hundred');
select isnt(tests.inbox('jonas', '{"limit": 100}') ->> 'nextCursor', null, 'there are more');
delete from app.notifications where id = tests.id('n101');
select is(tests.inbox('jonas', '{"limit": 100}') ->> 'nextCursor', null, 'until there are none');
select is(tests.inbox('lena'), '{"items": [], "nextCursor": null, "unreadCount": 0, "inboxVersion": 0}' || jsonb_build_object('inboxVersion', tests.inbox_version('lena')), 'of others there is nothing');

select * from finish();
