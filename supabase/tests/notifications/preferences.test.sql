begin;
select plan(53);
savepoint empty;

-- The preferences of a person push everything until they change them (docs/product.md N27).
select tests.person('one', 1), tests.person('maya'), tests.person('jonas');
create function pg_temp.update(p_args jsonb, p_caller text default 'maya')
returns jsonb
language sql
as $$ select tests.value_as(p_caller, format('api.update_notification_preferences(%L)', p_args)) $$;
create function pg_temp.own(p_caller text default 'maya')
returns jsonb
language sql
as $$ select tests.value_as(p_caller, $q$ api.get_notification_preferences('{}') $q$) $$;

select is(
  pg_temp.own(), jsonb_build_object('quietHours', null, 'push', (
    select jsonb_object_agg(type, true)
    from unnest(enum_range(null::app.event_type)) as type
    where type <> 'moderation_decided'
  )),
  'get_notification_preferences returns every type but decisions of staff as pushed, and no quiet hours'
);
select is(
  tests.refusal_as(caller, format($$ select api.%I('{}') $$, operation)), expected,
  format('%s refuses %s', operation, title)
)
from (values
  (null, '42501', 'a guest'), ('one', 'PT403 FORBIDDEN', 'a person below level 2'), ('maya', null, 'nobody at level 2')
) as c (caller, expected, title)
cross join unnest(array['get_notification_preferences', 'update_notification_preferences']) as operation;

-- A change keeps what it does not name (docs/product.md N28).
select is(pg_temp.update('{}'), pg_temp.own(), 'update_notification_preferences changes nothing for an empty object');
select is(
  pg_temp.update(
    '{"push": {"user_followed": false, "post_commented": false}}'
  ) -> 'push' @> '{"user_followed": false, "post_commented": false, "user_mentioned": true}',
  true, 'update_notification_preferences switches types off and keeps the others'
);
select is(
  pg_temp.update('{"push": {"user_followed": true}}') -> 'push' @> '{"user_followed": true, "post_commented": false}',
  true,
  'update_notification_preferences switches one type on and keeps the others'
);
select is(
  pg_temp.update('{"quietHours": {"from": "22:00", "to": "07:30", "timeZone": "europe/berlin"}}') -> 'quietHours',
  '{"from": "22:00", "to": "07:30", "timeZone": "Europe/Berlin"}',
  'update_notification_preferences sets quiet hours and spells the time zone'
);
select is(
  pg_temp.update('{"quietHours": {"to": "08:00"}}') -> 'quietHours',
  '{"from": "22:00", "to": "08:00", "timeZone": "Europe/Berlin"}',
  'update_notification_preferences changes a part of quiet hours'
);
select is(
  pg_temp.update('{"push": {"user_followed": false}}') -> 'quietHours',
  '{"from": "22:00", "to": "08:00", "timeZone": "Europe/Berlin"}',
  'update_notification_preferences keeps quiet hours that it does not name'
);
select is(pg_temp.own('jonas') -> 'quietHours', 'null', 'the preferences of one person change nothing for another');
select is(pg_temp.own() #> '{push,user_followed}', 'false', 'get_notification_preferences returns what was changed');
select is(
  pg_temp.update('{"quietHours": null}') -> 'quietHours', 'null',
  'update_notification_preferences ends quiet hours by null'
);

-- Odd input is refused with its path (docs/product.md N28).
select is(
  tests.error_of(format('select pg_temp.update(%L, %L)', args, 'jonas')) #>> '{details,issues,0,path}', path, title
)
from (
  values
    ('{"push": {"user_followed": "no"}}'::jsonb, '["push", "user_followed"]', 'a switch that is no boolean is refused'),
    ('{"push": {"user_followed": null}}', '["push", "user_followed"]', 'a switch that is null is refused'),
    ('{"push": {"user_waved": true}}', '["push", "user_waved"]', 'a switch of an unknown type is refused'),
    (
      '{"push": {"moderation_decided": false}}', '["push", "moderation_decided"]',
      'a switch of decisions of staff is refused'
    ),
    ('{"push": [true]}', '["push"]', 'switches that are no object are refused'),
    (
      '{"quietHours": {"from": "22:00", "to": "07:00"}}', '["quietHours"]',
      'quiet hours without a time zone are refused'
    ),
    ('{"quietHours": {}}', '["quietHours"]', 'empty quiet hours are refused where there are none'),
    (
      '{"quietHours": {"from": "22:00", "to": "22:00", "timeZone": "UTC"}}', '["quietHours", "to"]',
      'quiet hours without length are refused'
    ),
    (
      '{"quietHours": {"from": "24:00", "to": "22:00", "timeZone": "UTC"}}', '["quietHours", "from"]',
      'a time that does not exist is refused'
    ),
    (
      '{"quietHours": {"from": "7:00", "to": "22:00", "timeZone": "UTC"}}', '["quietHours", "from"]',
      'a time without its zero is refused'
    ),
    (
      '{"quietHours": {"from": "07:00", "to": 22, "timeZone": "UTC"}}', '["quietHours", "to"]',
      'a time that is a number is refused'
    ),
    (
      '{"quietHours": {"from": null, "to": "22:00", "timeZone": "UTC"}}', '["quietHours", "from"]',
      'a time that is null is refused'
    ),
    (
      '{"quietHours": {"from": "07:00", "to": "22:00", "timeZone": null}}', '["quietHours", "timeZone"]',
      'a time zone that is null is refused'
    ),
    (
      '{"quietHours": {"from": "07:00", "to": "22:00", "timeZone": "Berlin"}}', '["quietHours", "timeZone"]',
      'an unknown time zone is refused'
    ),
    (
      '{"quietHours": {"from": "07:00", "to": "22:00", "timeZone": "CEST"}}', '["quietHours", "timeZone"]',
      'an abbreviation of a time zone is refused'
    ),
    (
      '{"quietHours": {"from": "07:00", "to": "22:00", "timeZone": "UTC+2"}}', '["quietHours", "timeZone"]',
      'an offset is refused as a time zone'
    ),
    (
      '{"quietHours": {"from": "07:00", "to": "22:00", "timeZone": "posix/Europe/Berlin"}}',
      '["quietHours", "timeZone"]', 'a file of the system is refused as a time zone'
    )
) as c (args, path, title);

rollback to empty;

-- Quiet hours contain their beginning and not their end, and may pass midnight (docs/product.md N29).
select is(app.is_quiet(begins, ends, at), expected, title)
from (values
  ('09:00'::time, '17:00'::time, '09:00'::time, true, 'the beginning of quiet hours is quiet'),
  ('09:00', '17:00', '16:59:59.999999', true, 'the last moment before the end of quiet hours is quiet'),
  ('09:00', '17:00', '17:00', false, 'the end of quiet hours is not quiet'),
  ('22:00', '07:00', '23:30', true, 'quiet hours that pass midnight are quiet before it'),
  (
    '22:00', '07:00', '06:59:59.999999', true,
    'quiet hours that pass midnight are quiet until the last moment before their end'
  ),
  ('22:00', '07:00', '07:00', false, 'the end of quiet hours that pass midnight is not quiet'),
  ('22:00', '07:00', '22:00', true, 'the beginning of quiet hours that pass midnight is quiet'),
  ('22:00', '07:00', '21:59:59.999999', false, 'the last moment before quiet hours that pass midnight is not quiet'),
  ('22:00', '07:00', '12:00', false, 'quiet hours that pass midnight are not quiet at noon'),
  (null, null, '12:00', null, 'there is no quiet without quiet hours')
) as c (begins, ends, at, expected, title);

-- Preferences and quiet hours silence devices alone (docs/product.md N27, N29).
select tests.person(name) from unnest(array['maya', 'jonas', 'ann']) as name;
select tests.device_token('phone of ' || name, name) from unnest(array['maya', 'jonas', 'ann']) as name;
select tests.notification('follow of ' || name, name) from unnest(array['maya', 'jonas', 'ann']) as name;
select tests.notification('comment to maya', 'maya', 'post_commented', 'jonas', p_post => null);
select tests.notification('decision about jonas', 'jonas', 'moderation_decided');
insert into app.notification_preferences (user_id, silent_types) values (tests.id('maya'), '{user_followed}');
insert into app.notification_preferences (user_id, quiet_from, quiet_to, time_zone)
select
  tests.id('jonas'), ((app.now() - interval '1 minute') at time zone 'Asia/Tokyo')::time,
  ((app.now() + interval '1 minute') at time zone 'Asia/Tokyo')::time, 'Asia/Tokyo';
select bag_eq(
  'select id, is_pushed from app.due_notifications',
  $$
    values
      (tests.id('follow of maya'), false), (tests.id('follow of jonas'), false), (tests.id('follow of ann'), true),
      (tests.id('decision about jonas'), true)
  $$,
  'a silent type and quiet hours leave a notification due for the stream alone, unless it is about a decision of staff'
);

update app.notification_preferences set time_zone = 'Atlantis/Poseidonis' where user_id = tests.id('jonas');
select ok(
  is_pushed, 'a time zone that Postgres no longer knows silences nothing and stops no delivery'
) from app.due_notifications where id = tests.id('follow of jonas');

-- Quiet hours follow the local clock through daylight saving (docs/product.md N29).
delete from app.notifications where id = tests.id('decision about jonas');
delete from app.notification_preferences;
insert into app.notification_preferences (user_id, quiet_from, quiet_to, time_zone)
values
  (tests.id('maya'), '22:00', '07:00', 'Europe/Berlin'), (tests.id('jonas'), '22:00', '07:00', 'UTC'),
  (tests.id('ann'), '02:10', '02:50', 'America/New_York');
create function pg_temp.pushed_at(p_at timestamptz)
returns setof text
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_at - now());
  return query
  select p.username::text
  from app.due_notifications as d
  join app.profiles as p on p.user_id = d.recipient_id
  where d.is_pushed and d.id <> tests.id('comment to maya');
end
$$;
select bag_eq(format('select pg_temp.pushed_at(%L)', at), pushed, title)
from (values
  ('2027-03-27 05:30Z'::timestamptz, array['ann'], 'in winter half past six in Berlin is quiet'),
  (
    '2027-03-28 05:30Z', array['maya', 'ann'],
    'in summer half past five in UTC is half past seven in Berlin and not quiet'
  ),
  ('2027-03-28 20:30Z', array['jonas', 'ann'], 'in summer half past ten in the evening in Berlin is quiet'),
  ('2027-03-27 06:30Z', array['maya'], 'half past two in New York is quiet for its own quiet hours'),
  ('2027-03-14 06:59Z', array['maya', 'ann'], 'the minute before New York skips an hour is not quiet'),
  ('2027-03-14 07:20Z', array['maya', 'jonas', 'ann'], 'quiet hours in the hour that New York skips do not take place'),
  ('2026-11-01 06:20Z', array['maya', 'ann'], 'the repeated hour of New York before quiet hours is not quiet'),
  ('2026-11-01 07:20Z', array['maya', 'jonas'], 'quiet hours after the repeated hour of New York are quiet')
) as c (at, pushed, title);

select * from finish();
rollback;
