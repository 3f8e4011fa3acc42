select plan(5);

select tests.elm();
select tests.hub('ash', 'maya');
select tests.discussion('trams', 'jonas', 'elm', app.now() - interval '2 days');
select tests.discussion('bikes', 'jonas', 'elm', app.now() - interval '1 day');
select tests.discussion('cars', 'jonas', 'elm', app.now() - interval '3 days');
select tests.placed('cars', 'ash');

select tests.act_as('maya');
create temporary table answers as select api.list_discussions(tests.in_hub('elm')) as page;
select is(tests.listed(page), tests.ids('bikes in elm', 'trams in elm', 'cars in elm'), 'of the Hub') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(
  page #> '{items,1}', app.listed_discussions(tests.id('elm'), array[(null, tests.id('trams in elm'))::app.list_entry]) -> 0, 'each by its card'
)
from answers;
select is(tests.listed_in_parts('list_discussions', tests.in_hub('elm')), tests.listed(page), 'or one after the other') from answers;
select is(app.listed_discussions(tests.id('elm'), '{}'), '[]', 'none are none');

select * from finish();
