select plan(8);

select tests.elm();
select tests.hub('ash', 'maya');
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars', 'elsewhere']) as name;
select tests.placed('trams', 'elm', tests.ago(3));
select tests.placed('bikes', 'elm', tests.ago(5), 'shared', 'jonas');
select tests.placed('cars', 'elm', tests.ago(7));
select tests.placed('elsewhere', 'ash', tests.ago(1));

create function pg_temp.entries(p_limit integer, p_place app.feed_place default tests.behind())
returns text[]
language sql
return tests.entries(app.hub_entries(tests.id('elm'), p_place, p_limit));

select tests.act_as('maya');
select is(pg_temp.entries(9), array['trams shared_to_hub -3', 'bikes shared_to_hub -5', 'cars shared_to_hub -7'], 'each as what it was placed, in that Hub');
select is(pg_temp.entries(2), array['trams shared_to_hub -3', 'bikes shared_to_hub -5'], 'so many');
select is(pg_temp.entries(9, tests.behind(tests.ago(5), 'bikes')), array['cars shared_to_hub -7'], 'behind a place');
select tests.act_as('lena');
select is(pg_temp.entries(9), '{}', 'an outsider finds none, not even of their own');
reset role;
select tests.act_as('amara');
select api.share_to_hubs(tests.arguments('cars') || jsonb_build_object('hubIds', jsonb_build_array(tests.id('elm'))));
select is(pg_temp.entries(9), array['cars shared_to_hub', 'trams shared_to_hub -3', 'bikes shared_to_hub -5'], 'a post that is shared again comes first');
select is(
  pg_temp.entries(9, (tests.ago(3), tests.id('trams'), tests.ago(1), '1:1:', 'recent', '')::app.feed_place), array['bikes shared_to_hub -5', 'cars shared_to_hub -7'],
  'a walk that began before finds it where it was'
);
select is(
  pg_temp.entries(9, (tests.ago(9), tests.id('trams'), tests.ago(1), '1:1:', 'recent', '')::app.feed_place), '{}', 'and not again where it has passed that'
);
reset role;
select set_eq(
  $$ select tests.who_may('select app.hub_entries(null, tests.behind(), 1)') $$, array['authenticated'], 'and no guest asks'
);

select * from finish();
