select plan(9);

select tests.elm();
select tests.hub('ash', 'amara');
select tests.hub('oak', 'amara');
update app.hubs set last_activity_at = app.now() - interval '1 day';
select tests.post('trams', 'lena', 'private_locked_hub');
create temporary table told (place integer generated always as identity, hub_id uuid);
create function pg_temp.note() returns trigger language plpgsql security definer as 'begin insert into told (hub_id) values (new.hub_id); return null; end';
create trigger told after insert on app.events for each row execute function pg_temp.note();
insert into app.placements (post_id, hub_id, kind, placed_by, placed_at)
select tests.id('trams'), hub.id, hub.kind::app.placement_kind, tests.id('jonas'), app.now() - interval '1 hour'
from (values (tests.id('elm'), 'targeted'), (tests.id('ash'), 'shared')) as hub (id, kind)
order by hub.id desc;

select set_eq(
  'select post_id, hub_id, message_count, last_activity_at from app.discussions',
  $$ select tests.id('trams'), hub, 0, app.now() from unnest(tests.ids('elm', 'ash')) as hub $$, 'each has its discussion'
);
select set_eq('select id from app.hubs where last_activity_at = app.now()', tests.ids('elm', 'ash'), 'and moves its Hub up');
select set_eq(
  'select hub_id, actor_id, source_id, post_id, kind::text, occurred_at, lost_at from app.feed_events',
  $$
    select tests.id(hub) as hub_id, tests.id('jonas') as actor_id, tests.id(hub) as source_id, tests.id('trams') as post_id, kind, app.now() - interval '1 hour' as at, null::timestamptz as lost
    from (values ('elm', 'targeted'), ('ash', 'shared_to_hub')) as hub (hub, kind)
  $$,
  'it comes into the stream of the Hub alone, at its time'
);
select set_eq(
  'select tests.news()', array['hub_post_created by jonas in elm of trams', 'post_shared_to_hub by jonas in ash of trams'], 'its members are told, of what it is'
);
select is(
  array(select hub_id from told order by place), array(select hub from unnest(tests.ids('elm', 'ash')) as hub order by hub), 'one after the other in one order'
);
delete from app.events;
select tests.repost('again', 'jonas', 'trams', 'public_hub');
delete from app.events;
select tests.placed('again', 'elm');
select results_eq('select tests.news()', array['post_shared_to_hub by jonas in elm of again'], 'a repost is shared into it');
delete from app.events;
select tests.repost('for two', 'jonas', 'trams', 'private_locked_hub');
select is_empty('select from app.events', 'one that is private');
select tests.placed('for two', 'elm');
select set_eq(
  'select tests.news()', array['post_shared_to_hub by jonas in elm of for two', 'post_reposted by jonas in elm of for two'], 'is told of to the original''s author there as well'
);
delete from app.events;
select tests.placed('for two', 'ash', p_kind => 'shared', p_by => 'amara');
select results_eq('select tests.news()', array['post_shared_to_hub by amara in ash of for two'], 'and not where it is shared onward');

select * from finish();
