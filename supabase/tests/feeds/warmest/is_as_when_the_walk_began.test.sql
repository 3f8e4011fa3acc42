select plan(9);

select tests.elm();
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.discussion('locked', 'lena', 'ash') from tests.hub('ash', 'lena');
update app.posts set created_at = tests.ago(9);
update app.posts set trending_at = tests.ago(minutes) from (values ('trams', 1), ('bikes', 5), ('cars', 3), ('locked', 0)) as heat (name, minutes) where id = tests.id(name);
delete from app.warmings;

create function pg_temp.warmest(p_limit integer, p_place app.feed_place default tests.behind())
returns text[]
language sql
return tests.entries(app.warmest(
  array[tests.entry('bikes', tests.ago(1)), tests.entry('cars', tests.ago(2), 'voted'), tests.entry('trams', tests.ago(3), 'commented'), tests.entry('locked')],
  p_place, p_limit
));

select tests.act_as('maya');
select is(pg_temp.warmest(9), array['trams commented -1', 'cars voted -3', 'bikes published -5'], 'the warmest first, of what one may see, wherever it was');
select is(pg_temp.warmest(2), array['trams commented -1', 'cars voted -3'], 'so many');
select is(pg_temp.warmest(9, tests.behind(tests.ago(3), 'cars')), array['bikes published -5'], 'behind a place');
reset role;
insert into app.warmings (post_id, warmed_by, trending_before)
values
  (tests.id('trams'), '12', tests.ago(4)), (tests.id('trams'), '14', tests.ago(2)), (tests.id('cars'), '9', tests.ago(8)),
  (tests.id('bikes'), '12', tests.ago(0));
select tests.act_as('maya');
select is(
  pg_temp.warmest(9, tests.behind(p_seen => '10:10:')), array['cars voted -3', 'trams commented -4', 'bikes published -5'], 'what made it warmer since does not count'
);
select is(pg_temp.warmest(9, tests.behind(p_seen => '15:15:')), array['trams commented -1', 'cars voted -3', 'bikes published -5'], 'what had before does');
reset role;
update app.posts set created_at = app.now() where id = tests.id('bikes');
select tests.act_as('maya');
select is(cardinality(pg_temp.warmest(9, tests.behind(p_seen => '10:10:'))), 3, 'what is of that moment is there');
reset role;
update app.posts set created_at = app.now() + interval '1 microsecond' where id = tests.id('bikes');
select tests.act_as('maya');
select is(pg_temp.warmest(9, tests.behind(p_seen => '10:10:')), array['cars voted -3', 'trams commented -4'], 'what is newer is not');
reset role;
delete from app.warmings;
update app.posts set trending_at = tests.ago(3), created_at = tests.ago(9);
select tests.act_as('maya');
select is(
  array(select id from unnest(app.warmest(array[tests.entry('bikes'), tests.entry('cars'), tests.entry('trams')], tests.behind(), 9))),
  array(select id from unnest(tests.ids('trams', 'bikes', 'cars')) as id order by id desc), 'equally warm are in the order of ids'
);
select tests.act_as_guest();
select is(cardinality(pg_temp.warmest(9)), 3, 'to a guest as well');

select * from finish();
