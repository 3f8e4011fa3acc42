select plan(10);

select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.discussion('bikes', 'jonas', 'elm');
select tests.message('second', 'jonas', 'trams in elm', null, app.now() - interval '2 hours');
select tests.message('first', 'maya', 'trams in elm', null, app.now() - interval '3 hours');
select tests.message('third', 'maya', 'trams in elm', null, app.now() - interval '1 hour');
select tests.message('later reply', 'maya', 'trams in elm', 'first', app.now());
select tests.message('reply', 'jonas', 'trams in elm', 'first', app.now() - interval '1 minute');
select tests.message('elsewhere', 'maya', 'bikes in elm');

create function pg_temp.thread(p_name text)
returns jsonb
language sql
return tests.in_discussion('trams in elm', jsonb_build_object('parentMessageId', tests.id(p_name)));

select tests.act_as('maya');
create temporary table answers as select api.list_messages(tests.in_discussion('trams in elm')) as page;
select is(tests.listed(page), tests.ids('first', 'second', 'third'), 'without replies') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(page #> '{items,1}', app.listed_messages(m.hub_id, array[m]) -> 0, 'each by its card') from answers join app.messages as m on m.id = tests.id('second');
select is(
  tests.listed_in_parts('list_messages', tests.in_discussion('trams in elm')), tests.listed(page), 'or one after the other'
)
from answers;
select is(tests.listed(api.list_messages(pg_temp.thread('first'))), tests.ids('reply', 'later reply'), 'replies are a list of their own');
select is(tests.listed_in_parts('list_messages', pg_temp.thread('first')), tests.ids('reply', 'later reply'), 'in parts too');
select is(tests.listed(api.list_messages(pg_temp.thread('second'))), '{}', 'there may be none');
select is(tests.refusal('list_messages', pg_temp.thread('reply')), 'MESSAGE_NOT_FOUND', 'a reply has none of its own');
select is(tests.refusal('list_messages', pg_temp.thread('elsewhere')), 'MESSAGE_NOT_FOUND', 'nor has what is said elsewhere any here');
select is(tests.refusal('list_messages', pg_temp.thread('unknown')), 'MESSAGE_NOT_FOUND', 'or what was never said');

select * from finish();
