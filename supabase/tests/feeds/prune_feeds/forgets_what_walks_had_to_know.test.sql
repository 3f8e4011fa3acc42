select plan(4);

select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_events;
select tests.did('voted', name, 'trams', tests.ago(100000)) from unnest(array['maya', 'jonas', 'lena']) as name;
delete from app.feed_events where hub_id is not null;
update app.feed_events set lost_at = app.now() - interval '1 day', lost_by = '3' where actor_id = tests.id('maya');
update app.feed_events set lost_at = app.now() - interval '1 day' + interval '1 second', lost_by = '3' where actor_id = tests.id('jonas');
insert into app.former_sources (user_id, source_id, ended_at)
values
  (tests.id('maya'), tests.id('elm'), app.now() - interval '1 day'),
  (tests.id('jonas'), tests.id('elm'), app.now() - interval '1 day' + interval '1 second');
insert into app.score_changes (post_id, changed_at)
values
  (tests.id('trams'), app.now() - interval '1 day'),
  (tests.id('trams'), app.now() - interval '1 day' + interval '1 second');

set local session authorization opine_worker;
select app.prune_feeds();
reset session authorization;
select set_eq('select actor_id from app.feed_events', tests.ids('jonas', 'lena'), 'what was lost goes after a day');
select results_eq('select user_id from app.former_sources', tests.ids('jonas'), 'and who was whose source');
select results_eq('select changed_at from app.score_changes', 'select app.now() - interval ''1 day'' + interval ''1 second''', 'former scores go after a day');
select set_eq($$ select tests.who_may('select app.prune_feeds()') $$, array['opine_worker'], 'the worker does this');

select * from finish();
