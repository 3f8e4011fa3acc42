begin;
select plan(16);

-- waiting_tasks names a task when its queue holds something that is due, and no other.
select tests.person('maya');
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.insert_event(tests.event('followed_user_posted', 'maya'));
delete from app.outbox;
delete from app.inbox_counts;
delete from app.stored_objects;
select is(app.waiting_tasks(), '{}', 'nothing waits in empty queues');

create temporary table changes (title text, change text, expected text[]) on commit drop;
insert into changes
values
  (
    'a notification in the outbox',
    'insert into app.outbox (notification_id) values (app.uuid_v7())', '{deliver outbox}'
  ),
  (
    'a notification that the stream will get later',
    $$ insert into app.outbox (notification_id, due_at) values (app.uuid_v7(), app.now() + interval '1 second') $$, '{}'
  ),
  (
    'a notification older than two seconds, which the next sweep finds',
    $$ insert into app.outbox (notification_id) values (app.first_id_at(app.now() - interval '1 minute')) $$, '{}'
  ),
  (
    'an event with many recipients',
    'insert into app.fan_outs (event_id) select e.id from app.events as e limit 1', '{fan out}'
  ),
  (
    'a reached milestone',
    'insert into app.milestones (post_id, next_total, last_total) values (tests.id(''trams''), 100, 100)',
    '{fan out milestones}'
  ),
  (
    'a count of an inbox',
    $$
      insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count, is_folded)
      values (tests.id('maya'), 'everybody', tests.id('maya'), 1, 1, false)
    $$,
    '{fold inbox counts}'
  ),
  (
    'a folded count of an inbox',
    $$
      insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count, is_folded)
      values (tests.id('maya'), 'everybody', tests.id('maya'), 1, 1, true)
    $$,
    '{}'
  ),
  (
    'a push that is due',
    $$ insert into app.pushes (notification_id, token_hash) values (app.uuid_v7(), '\x01') $$, '{push to devices}'
  ),
  (
    'a push that is not due yet',
    $$
      insert into app.pushes (notification_id, token_hash, due_at)
      values (app.uuid_v7(), '\x01', app.now() + interval '1 second')
    $$,
    '{}'
  ),
  (
    'a lapsed lease of pushes',
    $$ insert into app.push_leases (notification_ids, lapses_at) values ('{}', app.now()) $$, '{push to devices}'
  ),
  (
    'a lease of pushes',
    $$ insert into app.push_leases (notification_ids, lapses_at) values ('{}', app.now() + interval '1 second') $$, '{}'
  ),
  (
    'a deletion of an account that is due',
    $$ select tests.account_deletion('jonas', app.now()) $$,
    '{finish account deletions}'
  ),
  (
    'a deletion of an account that is not due yet',
    $$
      select tests.account_deletion('jonas', app.now() + interval '1 second')
    $$,
    '{}'
  ),
  (
    'an expired object',
    $$ select tests.stored_object('photo', 'maya', app.now()) $$,
    '{remove expired objects}'
  ),
  (
    'an object that has not expired',
    $$ select tests.stored_object('photo', 'maya', app.now() + interval '1 second') $$,
    '{}'
  );

create function pg_temp.undone(p_change text)
returns text[]
language plpgsql
as $$
declare
  v_waiting text[];
begin
  begin
    execute p_change;
    v_waiting := app.waiting_tasks();
    raise exception 'undo the change';
  exception when raise_exception then
    return v_waiting;
  end;
end
$$;
select is(
  pg_temp.undone(change), expected,
  format('%s wakes %s', title, coalesce(nullif(array_to_string(expected, ', '), ''), 'no task'))
)
from changes;

select * from finish();
rollback;
