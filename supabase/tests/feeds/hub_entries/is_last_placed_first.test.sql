select plan(6);

select tests.elm();
select tests.hub('ash', 'jonas');
select tests.discussion('trams', 'jonas', 'elm', app.now() - interval '2 days');
select tests.discussion('bikes', 'maya', 'elm', app.now() - interval '1 day');
select tests.post('cars', 'amara', 'public_hub');
select tests.placed('cars', 'elm', app.now() - interval '3 days');
select tests.discussion('elsewhere', 'jonas', 'ash');
update app.posts set created_at = app.now() + interval '1 day' where id = tests.id('cars');

select tests.act_as('jonas');
create temporary table answers as select api.get_hub_feed(tests.in_hub('elm')) as page;
select is(tests.listed(page), tests.ids('bikes', 'trams', 'cars'), 'whoever placed it') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(
  page #> '{items,1}', (select card || '{"feedContext": "joined_hub_post"}' from app.post_cards(tests.ids('trams'))), 'each by its card, with why it is there'
)
from answers;
select is(tests.listed_in_parts('get_hub_feed', tests.in_hub('elm')), tests.listed(page), 'or one after the other') from answers;
select is(api.get_home_feed(tests.in_hub('elm')), page, 'the home feed has the same for that Hub') from answers;
select is(tests.listed_in_parts('get_home_feed', tests.in_hub('elm')), tests.listed(page), 'in parts too') from answers;

select * from finish();
