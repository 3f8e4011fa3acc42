select plan(10);

select tests.person(name) from unnest(array['maya', 'lena']) as name;
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.post('locked', 'lena', 'private_locked_hub');
create temporary table listed as
select array[tests.entry('bikes', tests.ago(1)), tests.entry('trams', tests.ago(2)), tests.entry('cars', tests.ago(3))] as entries;
grant select on listed to authenticated;

create function pg_temp.page(p_limit integer, p_contexts text[] default null, p_part text default 'recent')
returns jsonb
language sql
return app.feed_page((select l.entries from listed as l), p_contexts, ('infinity', tests.id('none'), tests.ago(9), '10:20:12', p_part, left(md5('home'), 8))::app.feed_place, p_limit);

select tests.act_as('maya');
select is(tests.listed(pg_temp.page(3)), tests.ids('bikes', 'trams', 'cars'), 'in the order of its entries');
select is(pg_temp.page(3) -> 'nextCursor', 'null', 'the last has no next');
select is(tests.listed(pg_temp.page(2)), tests.ids('bikes', 'trams'), 'of so many');
select is(
  app.decode_place(pg_temp.page(2) ->> 'nextCursor', 'home')::text, (tests.ago(2), tests.id('trams'), tests.ago(9), '10:20:12', 'recent', left(md5('home'), 8))::app.feed_place::text,
  'the next begins behind the last of it, in the same walk'
);
select is(
  (app.decode_place(pg_temp.page(2, null, 'active') ->> 'nextCursor', 'home', 'trending')).part, 'quiet', 'behind an entry with an event a trending feed goes on in its quiet part'
);
select is(pg_temp.page(2) #> '{items,0}', (select c.card from app.post_cards(tests.ids('bikes')) as c), 'each is its card');
select is(
  pg_temp.page(3, array['own_post', 'shared_to_hub', 'followed_author']) #> '{items,1}',
  (select c.card || '{"feedContext": "shared_to_hub"}' from app.post_cards(tests.ids('trams')) as c), 'with why it is there, if that is given'
);
select is(
  app.feed_page('{}', null, tests.behind(), 2), '{"items": [], "nextCursor": null}', 'without entries it is empty'
);
select is(
  tests.listed(app.feed_page(array[tests.entry('locked'), tests.entry('cars')], null, tests.behind(), 2)), tests.ids('cars'), 'of what one may not see there is no card'
);
reset role;
select set_eq(
  $$ select tests.who_may('select app.feed_page(''{}'', null, tests.behind(), 1)') $$, array['anon', 'authenticated'], 'whoever reads feeds'
);

select * from finish();
