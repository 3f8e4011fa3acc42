begin;
select plan(13);
savepoint empty;

-- default_feed_users can be read by everybody.
select tests.person('maya', 3);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
select tests.person('jonas', 3);

select tests.authenticate_as_guest();
select results_eq('select user_id from app.default_feed_users', tests.ids('maya'), 'a guest reads the default feed users');
select tests.authenticate_as('jonas');
select results_eq(
  'select user_id from app.default_feed_users', tests.ids('maya'), 'a signed-in user reads the default feed users'
);

rollback to empty;

-- feed_events of a Hub are deleted with the Hub.
select tests.elm();
select tests.post('trams', 'maya');
delete from app.hubs where id = tests.id('elm');
select results_eq(
  'select source_id from app.feed_events where ended_at is null', tests.ids('maya'),
  'a deleted Hub deletes its events and leaves those of its members'
);

rollback to empty;

-- feed_events have a source, a unique activity and a complete loss.
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
delete from app.feed_events;

create function pg_temp.violation(p_hub text, p_actor text, p_lost_at timestamptz default null, p_lost_by xid8 default null)
returns text
language sql
return tests.violation_of(format(
  'insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, ended_at, ended_by)
  values (%L, %L, %L, ''voted'', app.now(), %L, %L)',
  tests.id(p_hub), tests.id(p_actor), tests.id('trams'), p_lost_at, p_lost_by
));

select is(pg_temp.violation(hub, actor, ended_at, ended_by), expected, title)
from (
  values
    (null, null, null::timestamptz, null::xid8, 'feed_events_have_a_source', 'an event without Hub and actor is refused'),
    ('elm', 'maya', app.now(), null, 'feed_events_ended_at_and_by', 'an event lost by no transaction is refused'),
    ('elm', 'maya', null, '3', 'feed_events_ended_at_and_by', 'an event lost at no time is refused')
) as c (hub, actor, ended_at, ended_by, expected, title);
select tests.record_activity('voted', 'maya', 'trams');
select is(
  pg_temp.violation('elm', 'maya'), 'feed_events_act_key', 'a stream holds one event for each post, actor and kind'
);
select set_eq(
  'select source_id from app.feed_events', tests.ids('elm', 'maya'), 'the source of an event is its Hub, else its actor'
);
update app.feed_events set ended_at = app.now(), ended_by = '3';
select is(pg_temp.violation('elm', 'maya'), null, 'a lost event leaves room for a new one of its kind');
select tests.record_activity('voted', 'jonas', 'bikes');
delete from app.posts where id = tests.id('trams');
select set_eq('select post_id from app.feed_events', tests.ids('bikes'), 'a deleted post deletes its events');
delete from app.memberships where user_id = tests.id('jonas');
delete from app.users where id = tests.id('jonas');
select is_empty('select from app.feed_events', 'a deleted user deletes the events of their activity');

rollback to empty;

-- former_sources are deleted with the user who followed, not with the source.
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('jonas', 'maya');
delete from app.follows;
delete from app.users where id = tests.id('maya');
select results_eq(
  'select user_id from app.former_sources', tests.ids('jonas'), 'a deleted user deletes their own former sources'
);
select results_eq(
  'select source_id from app.former_sources', tests.ids('maya'), 'a deleted user stays a former source of their followers'
);

select * from finish();
rollback;
