select plan(4);

select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'maya');
select tests.discussion('locked', 'maya', 'elm');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.did(kind, 'maya', 'trams') from unnest(array['voted', 'commented', 'reposted', 'shared_to_feed']::app.feed_event_kind[]) as kind;
select tests.did('voted', 'jonas', 'bikes');
delete from app.feed_events where hub_id is not null and kind not in ('targeted', 'shared_to_hub');

create function pg_temp.acts()
returns setof text
language sql
as $$ select p.thought_text || ' ' || a.kind || case when a.is_own_share then ' (own share)' else '' end from app.feed_acts as a join app.posts as p on p.id = a.post_id $$;

select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select set_eq(
  'select pg_temp.acts()', array['trams published', 'trams shared_to_hub (own share)', 'bikes published', 'bikes voted', 'locked targeted'],
  'own activity is left out but for what was published, placed and shared into a Hub'
);
select set_config('request.jwt.claims', tests.claims('jonas')::text, true);
select set_eq(
  'select pg_temp.acts()',
  array[
    'trams published', 'trams voted', 'trams commented', 'trams reposted', 'trams shared_to_feed', 'trams shared_to_hub', 'bikes published', 'locked targeted'
  ],
  'of others it is all there'
);
update app.feed_events set actor_id = null where kind = 'shared_to_hub';
update app.feed_events set lost_at = app.now(), lost_by = '3' where kind in ('voted', 'published');
select ok('trams shared_to_hub' in (select pg_temp.acts()), 'also of somebody who has gone');
select ok('trams voted' in (select pg_temp.acts()), 'and what is lost');

select * from finish();
