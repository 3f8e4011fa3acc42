select plan(7);

select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
delete from app.feed_events;

create function pg_temp.events(p_is_lost boolean)
returns setof text
language sql
as $$
  select concat_ws(' ', e.kind, 'of ' || p.thought_text, 'in ' || h.name, extract(epoch from e.occurred_at - app.now())::integer / 60)
  from app.feed_events as e
  join app.posts as p on p.id = e.post_id
  left join app.hubs as h on h.id = e.hub_id
  where e.actor_id = tests.id('jonas') and (e.lost_at is not null) = p_is_lost
$$;

select tests.did('commented', 'jonas', 'bikes', tests.ago(9));
select tests.did('voted', 'jonas', 'trams', tests.ago(9));
select tests.did('commented', 'maya', 'trams', tests.ago(9));
select tests.did('commented', 'jonas', 'trams', tests.ago(5));
select app.take_back_act('commented', tests.id('jonas'), tests.id('trams'), tests.ago(5));
select is_empty('select pg_temp.events(true)', 'where the latest remains nothing is lost');
select app.take_back_act('commented', tests.id('jonas'), tests.id('trams'), tests.ago(8));
select set_eq(
  'select pg_temp.events(true)', array['commented of trams -5', 'commented of trams in elm -5'], 'else it is lost, wherever it is'
);
select set_eq(
  'select pg_temp.events(false)',
  array[
    'commented of trams -8', 'commented of trams in elm -8', 'commented of bikes -9', 'commented of bikes in elm -9', 'voted of trams -9', 'voted of trams in elm -9'
  ],
  'and the one before counts'
);
select results_eq('select distinct lost_at, lost_by from app.feed_events where lost_at is not null', 'select app.now(), pg_current_xact_id()', 'from now on');
update app.feed_events set lost_by = '3' where lost_at is not null;
select app.take_back_act('commented', tests.id('jonas'), tests.id('trams'), null);
select set_eq(
  'select pg_temp.events(false)', array['commented of bikes -9', 'commented of bikes in elm -9', 'voted of trams -9', 'voted of trams in elm -9'], 'where none is left none does'
);
select is(count(*), 2::bigint, 'what was lost before stays lost by whom it was') from app.feed_events where lost_by = '3';
select is(count(*), 2::bigint, 'and another''s stays') from app.feed_events where actor_id = tests.id('maya') and lost_at is null;

select * from finish();
