select plan(6);

select tests.elm();
select tests.post('trams', 'lena');
select tests.discussion('locked', 'jonas', 'elm');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.did('voted', name, 'trams') from unnest(array['jonas', 'amara']) as name;

create function pg_temp.events()
returns setof text
language sql
as $$
  select concat_ws(' ', p.thought_text, e.kind, 'in ' || h.name)
  from app.counted_events as e
  join app.posts as p on p.id = e.post_id
  left join app.hubs as h on h.id = e.hub_id
$$;

delete from app.feed_events where kind = 'published' and hub_id is null;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select bag_eq(
  'select pg_temp.events()',
  array['trams voted', 'trams voted in elm', 'trams voted', 'trams voted in elm', 'locked targeted in elm', 'trams shared_to_hub in elm'], 'what others have done'
);
update app.feed_events set lost_at = app.now(), lost_by = '3' where actor_id = tests.id('amara');
select bag_eq(
  'select pg_temp.events()', array['trams voted', 'trams voted in elm', 'locked targeted in elm', 'trams shared_to_hub in elm'], 'as long as it is not lost'
);
select tests.block('jonas', 'maya');
select bag_eq('select pg_temp.events()', array['locked targeted in elm', 'trams shared_to_hub in elm'], 'of who has blocked one, only what they placed in a Hub of both');
update app.blocks set blocker_id = tests.id('maya'), blocked_id = tests.id('jonas');
select bag_eq('select pg_temp.events()', array['locked targeted in elm', 'trams shared_to_hub in elm'], 'nor of whom one has blocked');
delete from app.blocks;
insert into app.departures (user_id) values (tests.id('jonas'));
select bag_eq('select pg_temp.events()', array['locked targeted in elm', 'trams shared_to_hub in elm'], 'nor of who has left');
delete from app.departures;
update app.feed_events set actor_id = null where kind = 'shared_to_hub';
select ok('trams shared_to_hub in elm' in (select pg_temp.events()), 'what somebody placed counts also when they are gone');

select * from finish();
