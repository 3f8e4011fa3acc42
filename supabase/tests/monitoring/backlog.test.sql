begin;
select plan(6);

-- backlog counts the rows that await the worker, and the age of the oldest.
create function pg_temp.backlog()
returns jsonb
language sql
return to_jsonb(app.backlog());

select is(
  pg_temp.backlog(),
  '{
    "outbox_count": 0, "outbox_age_seconds": 0, "push_count": 0, "push_age_seconds": 0, "dead_letter_count": 0,
    "fan_out_count": 0,
    "account_deletion_count": 0, "vote_age_seconds": 0, "inbox_change_count": 0
  }',
  'backlog returns zero counts and ages without work'
);

select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.insert_event(tests.event('followed_user_posted', 'maya'));
insert into app.fan_outs (event_id, next_user_id)
select (select e.id from app.events as e limit 1), tests.id(batch) from unnest(array['one batch', 'another']) as batch;
select tests.notification('to maya', 'maya');
insert into app.dead_letters (notification_id, attempt_count, failure) values (tests.id('to maya'), 10, 'XX000');
delete from app.outbox;
insert into app.outbox (notification_id, due_at)
values
  (app.uuid_v7(), app.now() + interval '1 hour'), (app.uuid_v7(), app.now() - interval '30 seconds'),
  (app.uuid_v7(), app.now());
insert into app.pushes (notification_id, token_hash, due_at)
values (app.uuid_v7(), '\x01', app.now() - interval '7 seconds'),
(app.uuid_v7(), '\x01', app.now() + interval '1 hour');
select tests.account_deletion('maya');
delete from app.inbox_counts;
insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count, is_folded)
select tests.id('maya'), 'everybody', tests.id('maya'), 1, 1,
  is_folded from unnest(array[true, false, false]) as is_folded;
insert into app.fresh_votes (post_id, hub_count, cast_at)
values (tests.id('trams'), 3, app.now() - interval '12 seconds'),
(tests.id('trams'), 300, app.now() - interval '27 seconds');
select is(
  pg_temp.backlog(),
  '{
    "outbox_count": 3, "outbox_age_seconds": 30, "push_count": 2, "push_age_seconds": 7, "dead_letter_count": 1,
    "fan_out_count": 1,
    "account_deletion_count": 1, "vote_age_seconds": 20, "inbox_change_count": 2
  }',
  'backlog returns queue counts, ages since the due time, and the vote age to ten seconds'
);

delete from app.fresh_votes where hub_count = 300;
select is(pg_temp.backlog() ->> 'vote_age_seconds', '10', 'backlog returns the age of a vote of a user with few Hubs');
delete from app.outbox where due_at <= app.now();
select is(pg_temp.backlog() ->> 'outbox_age_seconds', '0', 'backlog returns age 0 for an outbox row that is not due');
insert into app.push_leases (notification_ids, lapses_at) values ('{}', app.now() + interval '1 minute');
select is(
  pg_temp.backlog() ->> 'push_age_seconds', '7',
  'backlog returns the age of the oldest push beside a lease that has not lapsed'
);
update app.push_leases set lapses_at = app.now() - interval '9 seconds';
select is(
  pg_temp.backlog() ->> 'push_age_seconds', '9',
  'backlog returns the age of a lease that lapsed before any push was due'
);

select * from finish();
rollback;
