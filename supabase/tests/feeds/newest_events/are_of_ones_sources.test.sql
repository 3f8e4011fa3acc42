select plan(7);

select tests.elm();
select tests.person('ann');
select tests.post(name, 'ann') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.post('own', 'maya');
select tests.post('locked', 'maya', 'private_locked_hub');
update app.posts set created_at = tests.ago(4);
delete from app.feed_events;
select tests.follow('maya', 'lena');
select tests.did('voted', 'lena', 'trams', tests.ago(5));
select tests.did('commented', 'jonas', 'bikes', tests.ago(3));
select tests.did('voted', 'maya', 'bikes', tests.ago(2));
select tests.did('voted', 'ann', 'cars', tests.ago(1));
select tests.placed('cars', 'elm', tests.ago(6), 'shared');

create function pg_temp.events(p_place app.feed_place default tests.behind(), p_limit integer default 9, p_except uuid[] default '{}')
returns text[]
language sql
return tests.entries(array(select event from app.newest_events(p_place, p_limit, p_except) as event));

select tests.act_as('maya');
select is(
  pg_temp.events(), array['bikes commented -3', 'own published -4', 'trams voted -5', 'cars shared_to_hub -6'],
  'of whom one follows, of the Hubs one is in, and one''s own posts that are not private, the newest first'
);
select is(pg_temp.events(p_limit => 2), array['bikes commented -3', 'own published -4'], 'so many');
select is(
  pg_temp.events(p_place => tests.behind(tests.ago(4), 'own')), array['trams voted -5', 'cars shared_to_hub -6'], 'behind a place'
);
select is(
  pg_temp.events(p_place => tests.behind(tests.ago(5), 'trams')), array['cars shared_to_hub -6'], 'whatever is there'
);
select is(pg_temp.events(p_except => tests.ids('bikes', 'own')), array['trams voted -5', 'cars shared_to_hub -6'], 'but for posts that are known already');
reset role;
delete from app.feed_events;
select tests.post('own ' || n, 'maya') from generate_series(1, 3) as n;
delete from app.feed_events;
update app.posts set created_at = tests.ago(right(thought_text, 1)::integer) where thought_text like 'own _';
select tests.act_as('maya');
select is(pg_temp.events(p_limit => 2), array['own 1 published -1', 'own 2 published -2'], 'of one''s own posts the newest as well');
reset role;
select set_eq(
  $$ select tests.who_may('select app.newest_events(tests.behind(), 1, ''{}'')') $$, array['authenticated'], 'a guest has no sources'
);

select * from finish();
