begin;
select plan(8);
savepoint empty;

-- default_feed_users can be read by everybody.
select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
insert into app.default_feed_users (user_id) values (tests.id('maya'));
select is(
  tests.value_as(caller, 'array(select user_id from app.default_feed_users)'), to_jsonb(tests.ids('maya')),
  title || ' reads the default feed users'
)
from (values (null, 'a guest'), ('jonas', 'a signed-in user')) as c (caller, title);

rollback to empty;

-- feed_events have a source, a unique activity and a complete loss.
select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_events;

create function pg_temp.violation(
  p_hub text, p_actor text, p_lost_at timestamptz default null, p_lost_by xid8 default null
)
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
    (
      null, null, null::timestamptz, null::xid8, 'feed_events_have_a_source',
      'an event without Hub and actor is refused'
    ),
    ('elm', 'maya', app.now(), null, 'feed_events_ended_at_and_by', 'an event lost by no transaction is refused'),
    ('elm', 'maya', null, '3', 'feed_events_ended_at_and_by', 'an event lost at no time is refused')
) as c (hub, actor, ended_at, ended_by, expected, title);
select tests.record_activity('voted', 'maya', 'trams');
select is(
  pg_temp.violation('elm', 'maya'), 'feed_events_activity_key', 'a source holds one event for each post, actor and kind'
);
select set_eq(
  'select source_id from app.feed_events', tests.ids('elm', 'maya'), 'the source of an event is its Hub, else its actor'
);
update app.feed_events set ended_at = app.now(), ended_by = '3';
select is(pg_temp.violation('elm', 'maya'), null, 'a lost event leaves room for a new one of its kind');

select * from finish();
rollback;
