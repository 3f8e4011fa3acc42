begin;
select plan(52);
savepoint empty;

-- add_activity_to_hubs copies the activity of new members into the source of their Hub.
select tests.elm();
select tests.hub('ash', 'amara');
select tests.hub('oak', 'amara');
select tests.post('trams', 'lena');
select tests.post('bikes', 'maya');
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.record_activity('voted', 'maya', 'trams', tests.minutes_ago(5));
select tests.record_activity('commented', 'jonas', 'trams', tests.minutes_ago(3));
select tests.record_activity('reposted', 'maya', 'trams');
update app.feed_events set ended_at = app.now(), ended_by = '3' where kind = 'reposted';

select tests.membership('ash', 'maya');
select set_eq(
  $$ select actor_id, post_id, kind::text, occurred_at from app.feed_events where hub_id = tests.id('ash') $$,
  $$
    values
      (tests.id('maya'), tests.id('trams'), 'voted', tests.minutes_ago(5)),
      (tests.id('maya'), tests.id('bikes'), 'published', app.now())
  $$,
  'a new member''s activity enters the Hub''s source at its original time'
);
insert into app.memberships (hub_id, user_id, role)
values
  (tests.id('oak'), tests.id('jonas'), 'member'),
  (tests.id('oak'), tests.id('maya'), 'member'),
  (tests.id('ash'), tests.id('jonas'), 'member');
select set_eq(
  $$ select tests.activity_on('trams') $$,
  array[
    'published by lena', 'voted by maya', 'voted by maya in elm', 'voted by maya in ash', 'voted by maya in oak',
    'shared_to_hub by maya in elm',
    'commented by jonas', 'commented by jonas in elm', 'commented by jonas in ash', 'commented by jonas in oak'
  ],
  'one statement adds each new member''s activity to each Hub joined'
);
-- An event without its post stands for a post that a concurrent transaction has just deleted.
alter table app.feed_events drop constraint feed_events_post_id_fkey;
delete from app.memberships where hub_id = tests.id('ash') and user_id = tests.id('jonas');
update app.feed_events set post_id = tests.id('gone') where actor_id = tests.id('jonas') and hub_id is null;
alter table app.feed_events
add constraint feed_events_post_id_fkey foreign key (post_id) references app.posts (id) on delete cascade not valid;
select throws_ok(
  $$ select tests.membership('ash', 'jonas') $$, '40001', 'A post was deleted concurrently.',
  'joining a Hub raises a serialization failure for a post just deleted'
);

rollback to empty;

-- update_actors writes the user's row, so that a concurrent vote fails and runs again.
select tests.elm();
select tests.hub('ash', 'amara');

create function pg_temp.users_written_by(p_statement text)
returns setof uuid
language plpgsql
as $$
begin
  create temporary table rows as select id, ctid as place from app.users;
  execute p_statement;
  return query select u.id from app.users as u join rows on rows.id = u.id where rows.place <> u.ctid;
  drop table rows;
end
$$;

select set_eq(
  $$
    select pg_temp.users_written_by(
      'insert into app.memberships (hub_id, user_id, role)
      select tests.id(''ash''), unnest(tests.ids(''maya'', ''jonas'')), ''member'''
    )
  $$,
  tests.ids('maya', 'jonas'), 'joining a Hub locks the activity of each new member'
);
select set_eq(
  $$ select pg_temp.users_written_by('delete from app.memberships where hub_id = tests.id(''ash'')') $$,
  tests.ids('amara', 'maya', 'jonas'), 'leaving a Hub locks the activity of each former member'
);

rollback to empty;

-- record_activity adds an event to the actor's source and to the sources of their Hubs.
-- docs/product.md F6-F8
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.post('trams', 'lena');
select tests.post('among us', 'lena', 'public_hub');
select tests.post('locked', 'lena', 'private_locked_hub');
select tests.post('own', 'jonas');
delete from app.feed_events;

create function pg_temp.events_after(p_kind app.feed_event_kind, p_post text, p_age integer)
returns text
language sql
as $$
  select tests.record_activity(p_kind, 'jonas', p_post, tests.minutes_ago(p_age));
  select string_agg(event, ', ' order by event)
  from (
    select concat_ws(
      ' ', e.kind, extract(epoch from e.occurred_at - app.now())::integer / 60, 'of',
      string_agg(coalesce(h.name, 'jonas'), '/' order by h.name nulls first),
      case when e.ended_at is not null then '(ended)' end
    ) as event
    from app.feed_events as e
    left join app.hubs as h on h.id = e.hub_id
    where e.post_id = tests.id(p_post) and e.actor_id = tests.id('jonas')
    group by e.kind, e.occurred_at, e.ended_at
  ) as listed
$$;

select is(pg_temp.events_after(kind::app.feed_event_kind, post, age), events, title)
from (
  values
    (
      'voted', 'trams', 5, 'voted -5 of jonas/ash/elm',
      'record_activity adds an event to the actor''s source and all their Hubs'
    ),
    (
      'voted', 'trams', 3, 'voted -3 of jonas/ash/elm, voted -5 of jonas/ash/elm (ended)',
      'a repeated activity moves its event to the newer time and ends the former one'
    ),
    (
      'voted', 'trams', 4, 'voted -3 of jonas/ash/elm, voted -5 of jonas/ash/elm (ended)',
      'an older activity leaves the event at its newer time'
    ),
    (
      'commented', 'trams', 4,
      'commented -4 of jonas/ash/elm, voted -3 of jonas/ash/elm, voted -5 of jonas/ash/elm (ended)',
      'an activity of another kind adds events of its own'
    ),
    ('voted', 'locked', 5, null, 'activity on a private post adds no event'),
    ('voted', 'gone', 5, null, 'activity on a deleted post adds no event'),
    (
      'voted', 'among us', 5, 'voted -5 of jonas/ash/elm',
      'activity on a public Hub post is in every source of the actor'
    ),
    ('commented', 'own', 5, null, 'a comment of authors on their own posts adds no event'),
    ('reposted', 'own', 5, null, 'a repost of authors of their own posts adds no event'),
    ('voted', 'own', 5, null, 'a vote of authors on their own posts adds no event'),
    (
      'shared_to_feed', 'own', 5, 'shared_to_feed -5 of jonas/ash/elm',
      'a share of authors to their feed adds an event'
    )
) as c (kind, post, age, events, title);
update app.feed_events set ended_at = app.now(), ended_by = '3';
select is(
  pg_temp.events_after('voted', 'among us', 9), 'voted -5 of jonas/ash/elm (ended), voted -9 of jonas/ash/elm',
  'activity after a lost event adds a new event at its own time and keeps the lost one'
);

rollback to empty;

-- record_activity names the transaction of an event, except that of a vote.
select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_events;
create function pg_temp.begun_by(p_kind app.feed_event_kind, p_at timestamptz)
returns text[]
language sql
as $$
  select app.record_activity(p_kind, tests.id('jonas'), tests.id('trams'), p_at);
  select array_agg(distinct case e.begun_by when pg_current_xact_id() then 'now' when '3' then 'before' else 'none' end)
  from app.feed_events as e
  where e.kind = p_kind and e.ended_at is null
$$;
select is(pg_temp.begun_by('commented', app.now()), '{now}', 'an event names its transaction');
select is(pg_temp.begun_by('voted', app.now()), '{none}', 'a vote that counts at once names no transaction');
select is(
  pg_temp.begun_by('voted', tests.minutes_ago(1)), '{none}', 'the fold of a vote leaves it without a transaction'
);
delete from app.feed_events where kind = 'voted' and hub_id is not null;
select is(
  pg_temp.begun_by('voted', tests.minutes_ago(1)), '{none,now}',
  'a fold that is late adds the vote to sources of Hubs with its own transaction'
);
update app.feed_events set begun_by = '3', occurred_at = tests.minutes_ago(5);
select is(
  pg_temp.begun_by('commented', tests.minutes_ago(6)), '{before}', 'older activity leaves the transaction of an event'
);
select is(pg_temp.begun_by('commented', tests.minutes_ago(4)), '{now}', 'a repeat names its own transaction');
select ok(
  not exists (
    select from app.feed_events as e where e.kind = 'commented' and e.ended_at is not null and e.begun_by <> '3'
  ),
  'the former time of a repeated event keeps its transaction'
);

rollback to empty;

-- record_feed_changes keeps what decides about feeds as it was before a change.
select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_changes;
create function pg_temp.changes_of(p_change text)
returns text[]
language plpgsql
as $$
declare
  v_changes text[];
begin
  execute p_change;
  select array_agg(
    concat_ws(' ', c.kind, coalesce(subject.username, 'all'), coalesce(object.username, h.name, p.thought_text),
      case when c.former_at is null then 'was not' else 'was' end)
    order by c.id
  ) into v_changes
  from app.feed_changes as c
  left join app.profiles as subject on subject.user_id = c.subject_id
  left join app.profiles as object on object.user_id = c.object_id
  left join app.hubs as h on h.id = c.object_id
  left join app.posts as p on p.id = c.object_id
  where c.changed_by = pg_current_xact_id();
  update app.feed_changes set changed_by = '3';
  return v_changes;
end
$$;
select is(pg_temp.changes_of(change), changes, 'a change is recorded after ' || change)
from (
  values
    ($$ select tests.follow('maya', 'lena') $$, array['follows maya lena was not']),
    ('delete from app.follows', array['follows maya lena was']),
    ($$ delete from app.memberships where user_id = tests.id('maya') $$, array['memberships maya elm was']),
    ($$ select tests.membership('elm', 'maya') $$, array['memberships maya elm was not']),
    ($$ select tests.block('maya', 'lena') $$, array['blocks maya lena was not', 'blockers lena maya was not']),
    ('delete from app.blocks', array['blocks maya lena was', 'blockers lena maya was']),
    ($$ insert into app.suspensions (user_id) values (tests.id('lena')) $$, array['suspensions all lena was not']),
    ('delete from app.suspensions', array['suspensions all lena was']),
    (
      $$ select tests.account_deletion('lena') $$,
      array['account_deletions all lena was not']
    ),
    (
      $$ insert into app.default_feed_users (user_id) values (tests.id('maya')) $$,
      array['default_feed_users all maya was not']
    ),
    ('delete from app.default_feed_users', array['default_feed_users all maya was']),
    ($$ select tests.feed_share('maya', 'trams') $$, array['feed_shares maya trams was not']),
    ('update app.feed_shares set id = app.uuid_v7()', array['feed_shares maya trams was']),
    ('update app.follows set is_muted = true', null)
) as c (change, changes);
select tests.feed_share('lena', 'trams');
delete from app.feed_changes;
delete from app.posts where id = tests.id('trams');
select is_empty('select from app.feed_changes', 'the deletion of a post records no change for each of its shares');
select throws_ok('select app.record_feed_changes()', '0A000', null, 'record_feed_changes runs only as a trigger');

rollback to empty;

-- prune_feeds deletes the history that cursors older than a day would need (docs/product.md F2).
select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_events;
select tests.record_activity(
  'voted', name, 'trams', tests.minutes_ago(100000)
) from unnest(array['maya', 'jonas', 'lena']) as name;
delete from app.feed_events where hub_id is not null;
update app.feed_events set ended_at = app.now() - interval '1 day', ended_by = '3' where actor_id = tests.id('maya');
update app.feed_events
set ended_at = app.now() - interval '1 day' + interval '1 second', ended_by = '3'
where actor_id = tests.id('jonas');
delete from app.feed_changes;
insert into app.feed_changes (kind, subject_id, object_id, changed_at)
values
  ('follows', tests.id('maya'), tests.id('lena'), app.now() - interval '1 day'),
  ('follows', tests.id('jonas'), tests.id('lena'), app.now() - interval '1 day' + interval '1 second');
insert into app.trending_activities (post_id, actor_id, kind, at)
values
  (tests.id('trams'), tests.id('maya'), 'commented', app.now() - interval '30 days'),
  (tests.id('trams'), tests.id('jonas'), 'commented', app.now() - interval '30 days' + interval '1 second');
insert into app.score_changes (post_id, changed_at)
values
  (tests.id('trams'), app.now() - interval '1 day'),
  (tests.id('trams'), app.now() - interval '1 day' + interval '1 second');

set local session authorization opine_worker;
select app.prune_feeds();
reset session authorization;
select bag_eq(
  $$
    select 'event of ' || u.username from app.feed_events as e join app.profiles as u on u.user_id = e.actor_id
    union all
    select 'source of ' || u.username from app.feed_changes as c join app.profiles as u on u.user_id = c.subject_id
    union all
    select 'activity of ' || u.username
    from app.trending_activities as a
    join app.profiles as u on u.user_id = a.actor_id
    union all
    select 'change ' || (app.now() - changed_at)::text from app.score_changes
  $$,
  array['event of jonas', 'source of jonas', 'activity of jonas', 'change 23:59:59'],
  'prune_feeds deletes ended events, changes of a day ago and trending activity of thirty days ago'
);

rollback to empty;

-- end_activity marks an event as lost and moves it to the latest remaining activity.
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
delete from app.feed_events;

create function pg_temp.events(p_is_lost boolean)
returns setof text
language sql
as $$
  select concat_ws(
    ' ', e.kind, 'of ' || p.thought_text, 'in ' || h.name, extract(epoch from e.occurred_at - app.now())::integer / 60
  )
  from app.feed_events as e
  join app.posts as p on p.id = e.post_id
  left join app.hubs as h on h.id = e.hub_id
  where e.actor_id = tests.id('jonas') and (e.ended_at is not null) = p_is_lost
$$;

select tests.record_activity('commented', 'jonas', 'bikes', tests.minutes_ago(9));
select tests.record_activity('voted', 'jonas', 'trams', tests.minutes_ago(9));
select tests.record_activity('commented', 'maya', 'trams', tests.minutes_ago(9));
select tests.record_activity('commented', 'jonas', 'trams', tests.minutes_ago(5));
select app.end_activity('commented', tests.id('jonas'), tests.id('trams'), tests.minutes_ago(5));
select is_empty('select pg_temp.events(true)', 'end_activity loses no event while the latest activity remains');
select app.end_activity('commented', tests.id('jonas'), tests.id('trams'), tests.minutes_ago(8));
select set_eq(
  'select pg_temp.events(true)', array['commented of trams -5', 'commented of trams in elm -5'],
  'deleting the latest activity marks its event as lost in every source'
);
select set_eq(
  'select pg_temp.events(false)',
  array[
    'commented of trams -8', 'commented of trams in elm -8', 'commented of bikes -9', 'commented of bikes in elm -9',
    'voted of trams -9', 'voted of trams in elm -9'
  ],
  'deleting the latest activity leaves the previous one in every source'
);
select results_eq(
  'select distinct ended_at, ended_by from app.feed_events where ended_at is not null',
  'select app.now(), pg_current_xact_id()',
  'end_activity records the time and transaction of the loss'
);
update app.feed_events set ended_by = '3' where ended_at is not null;
select app.end_activity('commented', tests.id('jonas'), tests.id('trams'), null);
select set_eq(
  'select pg_temp.events(false)',
  array['commented of bikes -9', 'commented of bikes in elm -9', 'voted of trams -9', 'voted of trams in elm -9'],
  'deleting the only activity leaves no event of its kind and post'
);
select is(
  array[
    count(*) filter (where ended_by = '3'), count(*) filter (where actor_id = tests.id('maya') and ended_at is null)
  ],
  '{2,2}', 'end_activity leaves events that were lost before, and the events of other actors'
)
from app.feed_events;

rollback to empty;

-- end_activity_in_hubs marks the activity of former members as lost in the source of their Hub.
select tests.elm();
select tests.hub('ash', 'amara');
select tests.membership('ash', 'maya');
select tests.membership('ash', 'jonas');
select tests.post('trams', 'lena');
select tests.discussion('locked', 'maya', 'elm');
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.record_activity('voted', name, 'trams') from unnest(array['maya', 'jonas']) as name;
select tests.record_activity('reposted', 'maya', 'trams');
update app.feed_events set ended_at = tests.minutes_ago(1), ended_by = '3' where kind = 'reposted';

delete from app.memberships
where (hub_id, user_id) in ((tests.id('elm'), tests.id('maya')), (tests.id('ash'), tests.id('jonas')));
select set_eq(
  $$ select tests.activity_on('trams') $$,
  array[
    'published by lena', 'voted by maya', 'voted by maya in ash', 'voted by jonas', 'voted by jonas in elm',
    'shared_to_hub by maya in elm'
  ],
  'a former member''s activity leaves the Hub''s source, but their shares stay'
);
select set_eq(
  $$ select tests.activity_on('locked') $$, array['targeted by maya in elm'],
  'a former member''s targeted posts stay in the Hub''s source'
);
select set_eq(
  'select hub_id, actor_id, ended_at, ended_by from app.feed_events where kind = ''voted'' and ended_at is not null',
  $$
    select hub, actor, app.now() as at, pg_current_xact_id() as by
    from (values (tests.id('elm'), tests.id('maya')), (tests.id('ash'), tests.id('jonas'))) as left_by (hub, actor)
  $$,
  'leaving a Hub records the time and transaction of the loss'
);
select is(count(*), 3::bigint, 'leaving a Hub leaves events that were lost before unchanged')
from app.feed_events
where ended_by = '3' and ended_at = tests.minutes_ago(1);
select tests.membership('elm', 'maya');
select bag_eq(
  $$
    select ended_at is not null from app.feed_events
    where actor_id = tests.id('maya') and hub_id = tests.id('elm') and kind = 'voted'
  $$,
  array[false, true], 'a member who rejoins brings their activity back and keeps the lost events'
);

select * from finish();
rollback;
