select plan(6);

select tests.elm();
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.post('locked', 'lena', 'private_locked_hub');
delete from app.feed_events;
select tests.follow('maya', 'jonas');
select tests.did('voted', 'jonas', 'cars', tests.ago(1));

create temporary table happened as
select array[
  tests.entry('bikes', tests.ago(3), 'voted'), tests.entry('trams', tests.ago(4)), tests.entry('trams', tests.ago(2), 'voted'),
  tests.entry('cars', tests.ago(5)), tests.entry('locked', tests.ago(1)), tests.entry('bikes', tests.ago(6))
] as events;
grant select on happened to authenticated;

select tests.act_as('maya');
select is(
  tests.entries(app.first_shown(events, tests.behind())), array['trams voted -2', 'bikes voted -3', 'cars published -5'],
  'each where it comes first, the newest first, but what one may not see'
)
from happened;
select is(
  tests.entries(app.first_shown(events, tests.behind(tests.ago(1)))), array['trams voted -2', 'bikes voted -3', 'cars published -5'], 'and was not before'
)
from happened;
select is(
  tests.entries(app.first_shown(events, tests.behind(tests.ago(1), 'cars'))), array['trams voted -2', 'bikes voted -3'], 'as something newer showed it'
)
from happened;
select is(app.first_shown('{}', tests.behind(tests.ago(1))), '{}', 'of nothing there is none') from happened;
select is(
  array(select id from unnest(app.first_shown(array[tests.entry('trams'), tests.entry('bikes'), tests.entry('cars')], tests.behind()))),
  array(select id from unnest(tests.ids('trams', 'bikes', 'cars')) as id order by id desc), 'what is of one moment is in the order of ids'
);
reset role;
select tests.block('lena', 'maya');
select tests.act_as('maya');
select is(app.first_shown(events, tests.behind()), '{}', 'nor of who has blocked one') from happened;

select * from finish();
