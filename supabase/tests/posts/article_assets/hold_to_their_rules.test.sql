select plan(7);

select tests.person('maya', 3);
select tests.asset(n::text, 'maya') from generate_series(0, 11) as n;
select tests.article('hers', 'maya');
select tests.article('other', 'maya');

create function pg_temp.violation(p_place integer, p_asset text, p_article text default 'hers')
returns text
language sql
return tests.violation_of(format(
  'insert into app.article_assets (article_id, place, asset_id) values (%L, %L, %L)', tests.id(p_article), p_place, tests.id(p_asset)
));

select is(pg_temp.violation(0, '0'), 'article_assets_place_is_within_limit', 'places begin at one');
select is(pg_temp.violation(11, '11'), 'article_assets_place_is_within_limit', 'an article has ten at most');
select is(pg_temp.violation(10, '10'), null, 'ten it may have');
select is(pg_temp.violation(10, '1'), 'article_assets_pkey', 'each in a place of its own');
select is(pg_temp.violation(1, '10'), 'article_assets_are_distinct', 'and each once');
select is(pg_temp.violation(1, '10', 'other'), null, 'another article may have the same');
select is(tests.violation_of('delete from app.assets'), 'article_assets_asset_id_fkey', 'what an article shows is not deleted');

select * from finish();
