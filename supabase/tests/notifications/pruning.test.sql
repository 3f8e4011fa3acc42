begin;
select plan(16);
savepoint empty;

-- prune_notifications deletes what is older than so many days, read or not, and what depends on it.
select tests.person('maya'), tests.person('jonas'), tests.person('noor'), tests.person('lena');
create function pg_temp.is_kept(p_actor text)
returns text
language sql
return (
  select string_agg(thing.name, ' ' order by thing.name)
  from app.events as e
  cross join lateral (
    values
      ('event', true), ('notification', exists (select from app.notifications as n where n.event_id = e.id)),
      ('letter', exists (
        select from app.dead_letters as d
        join app.notifications as n on n.id = d.notification_id
        where n.event_id = e.id
      ))
  ) as thing (name, is_there)
  where e.actor_id = tests.id(p_actor) and thing.is_there
);

select app.emit('user_followed', tests.id('jonas'), tests.id('maya'));
insert into app.dead_letters (notification_id, attempt_count, failure) select n.id, 10, 'of tests'
from app.notifications as n;
select app.set_clock_offset('1 hour');
select app.emit('user_followed', tests.id('noor'), tests.id('maya'));
update app.notifications set read_at = app.now() where actor_id = tests.id('noor');
select app.set_clock_offset('30 days');
select app.emit('user_followed', tests.id('lena'), tests.id('maya'));
create temporary table before as select tests.inbox_version('maya') as version;

select app.set_clock_offset('29 days 23 hours 59 minutes');
select is(app.prune_notifications(30), false, 'prune_notifications has nothing more to do where nothing is old');
select is(
  pg_temp.is_kept('jonas'), 'event letter notification', 'prune_notifications keeps a notification up to its age'
);
select is(
  tests.inbox_version('maya'), version, 'prune_notifications raises no version where it deletes nothing'
) from before;
select app.set_clock_offset('30 days 1 minute');
select is(app.prune_notifications(30), false, 'prune_notifications says that there is no more to delete');
select is(
  pg_temp.is_kept('jonas'), null, 'prune_notifications deletes an old notification with its event and its dead letters'
);
select is(pg_temp.is_kept('noor'), 'event notification', 'prune_notifications keeps a younger notification');
select is(tests.unread_count('maya'), 1, 'prune_notifications takes an unread notification out of the unread count');
select cmp_ok(
  tests.inbox_version('maya'), '>', version,
  'prune_notifications raises the version of an inbox that loses a notification'
)
from before;
update before set version = tests.inbox_version('maya');
select app.set_clock_offset('30 days 2 hours');
select app.prune_notifications(30);
select is(pg_temp.is_kept('noor'), null, 'prune_notifications deletes an old notification that was read');
select cmp_ok(
  tests.inbox_version('maya'), '>', version,
  'prune_notifications raises the version of an inbox that loses a read notification'
)
from before;
select is(
  array[tests.unread_count('maya')::text, pg_temp.is_kept('lena')], '{1,event notification}',
  'prune_notifications keeps the unread count of what it keeps'
);

rollback to empty;

-- prune_notifications deletes events that notify nobody, once their recipients are notified.
select tests.person('jonas');
select app.emit('user_followed', tests.id('jonas'));
insert into app.events (type, actor_id) values ('user_followed', tests.id('jonas'));
insert into app.fan_outs (event_id) select e.id from app.events as e order by e.id desc limit 1;
create temporary table queued as select event_id from app.fan_outs;
select app.set_clock_offset('2 days');
select app.prune_notifications(1);
select results_eq(
  'select e.id from app.events as e', 'select event_id from queued',
  'prune_notifications deletes old events without notifications, except those whose recipients the worker has to notify'
);

rollback to empty;

-- prune_notifications deletes 5,000 notifications at a time, oldest first, and events after the last notification.
select tests.person('jonas');
insert into app.events (type, actor_id) select 'user_followed', tests.id('jonas') from generate_series(1, 2);
insert into app.notifications (event_id, recipient_id, audience, audience_id)
select (select e.id from app.events as e order by e.id limit 1), user_id, 'everybody', user_id
from (select tests.id('recipient ' || n) as user_id from generate_series(1, 5001) as n) as recipient;
create temporary table youngest as select n.id from app.notifications as n order by n.id desc limit 1;
select app.set_clock_offset('2 days');
select is(app.prune_notifications(1), true, 'prune_notifications says that there may be more after 5,000');
select results_eq(
  'select n.id from app.notifications as n', 'select id from youngest', 'prune_notifications deletes the oldest first'
);
select is(
  count(*), 2::bigint, 'prune_notifications keeps events until the last old notification is gone'
) from app.events;
select app.prune_notifications(1);
select is_empty(
  'select id from app.notifications union all select id from app.events',
  'prune_notifications deletes the rest in its next run'
);

select * from finish();
rollback;
