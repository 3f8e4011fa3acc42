select plan(11);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('ash', 'lena');
insert into app.posts (id, author_id, thought_text, visibility)
select tests.id('post ' || n), tests.id('amara'), 'Trams', 'public_hub' from generate_series(1, 1001) as n;
insert into app.placements (post_id, hub_id) select tests.id('post ' || n), tests.id('elm') from generate_series(1, 1001) as n;
insert into app.placements (post_id, hub_id) values (tests.id('post 1'), tests.id('oak'));
insert into app.messages (discussion_id, hub_id, author_id, body)
select d.id, d.hub_id, tests.id('jonas'), 'here' from app.discussions as d where d.post_id = tests.id('post 1');
insert into app.messages (discussion_id, hub_id, author_id, body)
select d.id, d.hub_id, tests.id('jonas'), 'here'
from app.discussions as d
cross join generate_series(1, 5000)
where d.post_id = tests.id('post 1') and d.hub_id = tests.id('elm');
delete from app.feed_events;
insert into app.feed_events (hub_id, post_id, kind, occurred_at)
select h.id, tests.id('post 1'), 'shared_to_hub', app.now() from app.hubs as h where h.name in ('elm', 'oak');
insert into app.feed_events (hub_id, post_id, kind, occurred_at)
select tests.id('elm'), tests.id('post 1'), 'shared_to_hub', app.now() from generate_series(1, 5000);
delete from app.events;
insert into app.events (type, actor_id, hub_id) select 'hub_post_created', tests.id('amara'), h.id from app.hubs as h where h.name in ('elm', 'oak');
insert into app.events (type, actor_id, hub_id) select 'hub_post_created', tests.id('amara'), tests.id('elm') from generate_series(1, 5000);
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 5001) as n;
insert into app.notifications (event_id, recipient_id, audience, scope_id)
select e.id, tests.id('fan ' || n), 'hub_member', tests.id('elm')
from (select id from app.events where hub_id = tests.id('elm') limit 1) as e
cross join generate_series(1, 5001) as n;
insert into app.notifications (event_id, recipient_id, audience, scope_id)
select id, tests.id('jonas'), 'hub_member', tests.id('oak') from app.events where hub_id = tests.id('oak');
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
select tests.id('post 1'), tests.id('elm'), date_trunc('hour', app.now(), 'UTC') - n * interval '1 hour', '', '' from generate_series(1, 5001) as n;
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed) values (tests.id('post 1'), tests.id('oak'), date_trunc('hour', app.now(), 'UTC'), '', '');
select tests.close_hub('ash');
select tests.close_hub('elm');
update app.hubs set closed_at = closed_at - interval '1 second' where name = 'elm';

create function pg_temp.left_over(p_parts integer)
returns setof text
language plpgsql
as $$
begin
  perform app.remove_closed_hubs() from generate_series(1, p_parts);
  return query select format(
    '%s: %s, %s, %s, %s, %s, %s', h.name,
    (select count(*) from app.messages as m join app.discussions as d on d.id = m.discussion_id where d.hub_id = h.id),
    (select count(*) from app.placements as p where p.hub_id = h.id), (select count(*) from app.feed_events as f where f.hub_id = h.id),
    (select count(*) from app.notifications as n where n.scope_id = h.id), (select count(*) from app.events as e where e.hub_id = h.id),
    (select count(*) from app.pending_totals as t where t.hub_id = h.id)
  )
  from app.hubs as h;
end
$$;

select bag_eq(
  'select pg_temp.left_over(1)', array['elm: 1, 1001, 5001, 5001, 5001, 5001', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'of the Hub that closed first 5,000 messages go at a time'
);
select bag_eq('select pg_temp.left_over(2)', array['elm: 0, 1, 5001, 5001, 5001, 5001', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then 1,000 placements');
select bag_eq('select pg_temp.left_over(2)', array['elm: 0, 0, 1, 5001, 5001, 5001', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then 5,000 rows of its stream');
select bag_eq('select pg_temp.left_over(2)', array['elm: 0, 0, 0, 1, 5001, 5001', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then 5,000 who were told');
select bag_eq('select pg_temp.left_over(2)', array['elm: 0, 0, 0, 0, 1, 5001', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then 5,000 events');
select bag_eq('select pg_temp.left_over(2)', array['elm: 0, 0, 0, 0, 0, 1', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then 5,000 hours of votes that wait for it');
select bag_eq('select pg_temp.left_over(1)', array['elm: 0, 0, 0, 0, 0, 0', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'all of them');
select bag_eq('select pg_temp.left_over(1)', array['oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then the Hub itself');
select bag_eq('select pg_temp.left_over(2)', array['oak: 1, 1, 1, 1, 1, 1'], 'then the next; an open one stays with all that is in it');
select is(count(*)::integer, 1001, 'and posts are their authors''') from app.posts;
select set_eq($$ select tests.who_may('select app.remove_closed_hubs()') $$, array['opine_worker'], 'the worker does this');

select * from finish();
