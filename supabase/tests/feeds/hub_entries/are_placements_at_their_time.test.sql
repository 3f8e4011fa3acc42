select plan(6);

select tests.elm();
select tests.hub('ash', 'maya');
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars', 'elsewhere']) as name;
select tests.placed('trams', 'elm', tests.ago(3));
select tests.placed('bikes', 'elm', tests.ago(5), 'shared', 'jonas');
select tests.placed('cars', 'elm', tests.ago(7));
select tests.placed('elsewhere', 'ash', tests.ago(1));

create function pg_temp.entries(p_limit integer, p_place app.feed_place default tests.behind(), p_since timestamptz default '-infinity')
returns text[]
language sql
return tests.entries(app.hub_entries(tests.id('elm'), p_since, p_place, p_limit));

select tests.act_as('maya');
select is(pg_temp.entries(9), array['trams targeted -3', 'bikes shared_to_hub -5', 'cars targeted -7'], 'each as what it was placed, in that Hub');
select is(pg_temp.entries(2), array['trams targeted -3', 'bikes shared_to_hub -5'], 'so many');
select is(pg_temp.entries(9, tests.behind(tests.ago(5), 'bikes')), array['cars targeted -7'], 'behind a place');
select is(pg_temp.entries(9, p_since => tests.ago(5)), array['trams targeted -3'], 'and after a time');
select tests.act_as('lena');
select is(pg_temp.entries(9), '{}', 'an outsider finds none, not even of their own');
reset role;
select set_eq(
  $$ select tests.who_may('select app.hub_entries(null, ''-infinity'', tests.behind(), 1)') $$, array['authenticated'], 'and no guest asks'
);

select * from finish();
