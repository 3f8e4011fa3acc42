select plan(5);

select tests.elm();
select tests.hub('ash', 'maya');
select tests.hub('oak', 'jonas');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');
select tests.placed('trams', 'oak');
select tests.discussion('bikes', 'jonas', 'elm');
insert into app.saved_discussions (user_id, discussion_id, saved_at)
values
  (tests.id('maya'), tests.id('trams in elm'), app.now() - interval '2 days'),
  (tests.id('maya'), tests.id('trams in ash'), app.now() - interval '1 day'),
  (tests.id('maya'), tests.id('bikes in elm'), app.now() - interval '3 days'),
  (tests.id('maya'), tests.id('trams in oak'), app.now()),
  (tests.id('jonas'), tests.id('trams in oak'), app.now());

select tests.act_as('maya');
create temporary table answers as select api.list_saved_discussions('{}') as page;
select is(
  tests.listed(page), tests.ids('trams in ash', 'trams in elm', 'bikes in elm'), 'in whatever Hub, but for those that one has left'
)
from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(
  page #> '{items,1}', (select app.saved_discussion(d) from app.discussions as d where d.id = tests.id('trams in elm')), 'each with its messages'
)
from answers;
select is(tests.listed_in_parts('list_saved_discussions', '{}'), tests.listed(page), 'or one after the other') from answers;
select tests.act_as('amara');
select is(api.list_saved_discussions('{}'), '{"items": [], "nextCursor": null}', 'there may be none');

select * from finish();
