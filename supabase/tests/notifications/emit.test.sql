begin;
select plan(143);

savepoint empty;

-- deliver_event notifies up to 1,000 recipients per transaction and leaves the rest to the worker.
-- docs/product.md N14
select tests.person('lena'), tests.person('maya');
insert into app.users (id) select tests.id('follower ' || n) from generate_series(1, 1000) as n;
insert into app.follows (follower_id, followee_id)
select tests.id('follower ' || n), tests.id('lena')
from generate_series(1, 1000) as n;
create function pg_temp.publish(p_name text)
returns bigint
language plpgsql
as $$
begin
  perform tests.post(p_name, 'lena');
  return (
    select count(*)
    from app.notifications as n
    join app.events as e on e.id = n.event_id
    where e.post_id = tests.id(p_name)
  );
end
$$;
-- The setting counts recipients until the transaction ends, and each assertion stands for a transaction.
select set_config('app.recipient_count', '', true);
select is(pg_temp.publish('first'), 1000::bigint, 'deliver_event notifies 1,000 followers in the request');
select is_empty('select from app.fan_outs', 'deliver_event queues no fan-out for 1,000 followers');
select is(
  pg_temp.publish('second'), 0::bigint, 'deliver_event notifies nobody after 1,000 recipients in the same transaction'
);
select app.emit('user_followed', tests.id('lena'), tests.id('maya'));
select is_empty(
  $$ select tests.notifications_of('maya') $$, 'deliver_event defers even a single recipient beyond 1,000'
);
select bag_eq(
  'select e.type::text, f.next_user_id, f.batch_index from app.fan_outs as f join app.events as e on e.id = f.event_id',
  $$
    values
      ('followed_user_posted', '00000000-0000-0000-0000-000000000000'::uuid, 0),
      ('user_followed', '00000000-0000-0000-0000-000000000000', 0)
  $$,
  'deliver_event queues a fan-out for each deferred event'
);
select app.emit('user_followed', tests.id('lena'));
select is(count(*), 2::bigint, 'deliver_event queues no fan-out for an event without recipients') from app.fan_outs;
select set_config('app.recipient_count', '400', true);
delete from app.follows where follower_id in (select tests.id('follower ' || n) from generate_series(601, 1000) as n);
select is(pg_temp.publish('third'), 600::bigint, 'deliver_event notifies 600 followers after 400 other recipients');
select set_config('app.recipient_count', '401', true);
select is(
  pg_temp.publish('fourth'), 0::bigint, 'deliver_event notifies none of 600 followers after 401 other recipients'
);
select set_config('app.recipient_count', '', true);
select tests.follow('maya', 'lena');
insert into app.follows (follower_id, followee_id)
select tests.id('follower ' || n), tests.id('lena')
from generate_series(601, 1000) as n;
select is(pg_temp.publish('fifth'), 0::bigint, 'deliver_event notifies none of 1,001 followers in the request');
-- A local setting ends with a function that sets the same one, as it would end with the transaction.
create function pg_temp.follow()
returns void
language sql
set app.recipient_count = '7'
as $$ select app.emit('user_followed', tests.id('maya'), tests.id('lena')) $$;
select set_config('app.recipient_count', '5', true);
select pg_temp.follow();
select is(
  current_setting('app.recipient_count'), '5', 'deliver_event keeps its recipient count local to the transaction'
);

rollback to empty;

-- audience_of decides by type, Hub and post who may see a notification (docs/product.md N8, N9).
select tests.elm();
select
  tests.post('public', 'maya'), tests.post('public and in Hubs', 'maya', 'public_hub'),
  tests.post('private', 'maya', 'private_locked_hub');
create function pg_temp.audiences(p_hub text, p_post text)
returns table (type text, audience text)
language sql
as $$
  select type::text, app.audience_of(tests.event(type, p_hub => p_hub, p_post => p_post))::text
  from unnest(enum_range(null::app.event_type)) as type
$$;
-- Of a public post, those who can see it: two types hide with the post.
create temporary table of_public as
values
  ('user_followed', 'everybody'), ('post_commented', 'everybody'), ('post_shared_to_feed', 'everybody'),
  ('post_voted', 'everybody'),
  ('post_reposted', 'everybody'), ('post_vote_milestone', 'post_viewer'), ('followed_user_posted', 'everybody'),
  ('comment_replied', 'everybody'), ('user_mentioned', 'post_viewer'), ('moderation_decided', 'everybody');

select set_eq(
  format('select * from pg_temp.audiences(%L, %L) where audience <> all (%L)', hub, post, array[others]), expected,
  title
)
from (
  values
    (
      'elm', 'public', 'hub_member',
      $$
        values ('hub_invite_received', 'hub_ready'), ('hub_join_request_rejected', 'hub_ready'),
        ('hub_member_removed', 'hub_ready')
      $$,
      'audience_of returns hub_member for Hub events, and hub_ready for the three about non-members'
    ),
    (
      null, 'public', 'nobody', 'table of_public',
      'audience_of returns everybody or post_viewer for a public post, and nobody for Hub events without a Hub'
    ),
    (
      null, 'public and in Hubs', 'nobody', 'table of_public',
      'audience_of treats a post that is public and in Hubs as a public post'
    ),
    (
      null, 'private', 'nobody',
      $$
        select column1, case when column1 ~ 'posted|milestone|mentioned' then 'target_member' else 'everybody' end
        from of_public
      $$,
      'audience_of returns target_member for four types of events of a private post'
    ),
    (
      null, null, 'nobody', $$ values ('user_followed', 'everybody'), ('moderation_decided', 'everybody') $$,
      'audience_of returns nobody for a post event without a post'
    )
) as c (hub, post, others, expected, title);
select is(count(*), 16::bigint, 'audience_of returns hub_member for a Hub event of 16 types without a post')
from pg_temp.audiences('elm', null) where audience = 'hub_member';
select set_eq(
  $$
    select type from pg_temp.audiences(null, 'no such post')
    where type in ('post_reposted', 'post_vote_milestone', 'followed_user_posted', 'user_mentioned')
      and audience = 'nobody'
  $$,
  array['post_reposted', 'post_vote_milestone', 'followed_user_posted', 'user_mentioned'],
  'audience_of returns nobody for a post event of an unknown post'
);

rollback to empty;

-- candidates_for selects recipients by the rule of the event's type (docs/product.md N3).
select tests.elm();
select tests.person(name) from unnest(array['ann', 'ben']) as name;
select tests.person('tom', 3);
select tests.post('trams', 'lena');
select tests.repost('trams repost', 'maya', 'trams', 'public_hub'), tests.placement('trams repost', 'elm');
select tests.follow('ben', 'maya');
select tests.invitation('invitation', 'elm', 'maya', 'tom');

create function pg_temp.candidates(p_type app.event_type)
returns text
language sql
as $$
  select string_agg(p.username, ', ' order by p.username)
  from unnest(app.candidates_for(
    tests.event(p_type, 'maya', 'ann', 'elm', 'trams repost', 'invitation'), '00000000-0000-0000-0000-000000000000', 10
  )) as candidate (id)
  join app.profiles as p on p.user_id = candidate.id
$$;
select tests.membership('elm', 'lena');

select set_eq(
  'select type::text, pg_temp.candidates(type) from unnest(enum_range(null::app.event_type)) as type',
  $$
    values
      ('user_followed', 'ann'), ('hub_invite_received', 'tom'), ('hub_join_request_created', 'amara, maya'),
      ('hub_join_request_approved', 'ann'),
      ('hub_join_request_rejected', 'ann'), ('hub_member_joined', 'amara, jonas, maya'), ('hub_member_removed', 'ann'),
      ('hub_role_changed', 'ann'), ('hub_post_created', 'amara, jonas, maya'),
      ('post_shared_to_hub', 'amara, jonas, maya'),
      ('post_reposted', 'lena'), ('post_shared_to_feed', 'maya'), ('post_commented', 'maya'),
      ('post_vote_milestone', 'ann'),
      ('post_voted', 'maya'), ('followed_user_posted', 'ben'), ('comment_replied', null), ('user_mentioned', null),
      ('moderation_decided', 'ann')
  $$,
  'candidates_for selects the recipients of docs/product.md N3 for each type'
);

rollback to empty;

-- emit writes an event and notifies its recipients in the same transaction (docs/product.md N14).
select tests.elm();
select tests.post('trams', 'jonas');
select tests.comment('hello', 'jonas', 'trams');
delete from app.events;
select tests.invitation('invitation', 'elm', 'jonas', 'lena');
select tests.join_request('request', 'elm', 'lena');
insert into app.decisions (id, action, reason, statement, target_kind, target_id, decided_by)
values (tests.id('decision'), 'content_removed', 'spam', 'It sells pills.', 'post', tests.id('trams'), 'nina');
select app.emit(
  'hub_role_changed', p_actor_id => tests.id('amara'), p_subject_id => tests.id('jonas'), p_hub_id => tests.id('elm'),
  p_post_id => tests.id('trams'), p_comment_id => tests.id('hello'), p_invitation_id => tests.id('invitation'),
  p_join_request_id => tests.id('request'), p_decision_id => tests.id('decision')
);
select results_eq(
  $$
    select type::text, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id, decision_id,
      occurred_at
    from app.events
  $$,
  $$
    values (
      'hub_role_changed', tests.id('amara'), tests.id('jonas'), tests.id('elm'), tests.id('trams'), tests.id('hello'),
      tests.id('invitation'), tests.id('request'), tests.id('decision'), app.now()
    )
  $$,
  'emit writes an event with every id that the caller passes'
);
delete from app.events;
select app.emit('user_followed', null);
select is(
  num_nonnulls(actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id, decision_id), 0,
  'emit writes null for every id that the caller omits'
) from app.events;
select app.emit('user_followed', tests.id('maya'), tests.id('jonas'));
select results_eq(
  $$ select tests.notifications_of('jonas') $$, array['user_followed by maya'],
  'emit notifies the recipient in the same transaction'
);
select is(count(*), 1::bigint, 'emit notifies nobody but the recipient') from app.notifications;

rollback to empty;

-- fan_out serves the event that had the fewest batches.
select tests.person(name) from unnest(array['lena', 'maya', 'jonas']) as name;
insert into app.users (id) select tests.id('follower ' || n) from generate_series(1, 2001) as n;
insert into app.follows (follower_id, followee_id)
select tests.id('follower ' || n), tests.id('lena')
from generate_series(1, 2001) as n;
select tests.follow('jonas', 'maya');
-- Without triggers: nothing is queued yet.
set local session_replication_role = replica;
insert into app.events (id, type, actor_id)
select md5(actor)::uuid, 'followed_user_posted', tests.id(actor) from unnest(array['lena', 'maya']) as actor;
set local session_replication_role = origin;

-- Queues the posts of Lena and Maya after these numbers of batches, and returns what p_runs leave in the queue.
create function pg_temp.queue_after(p_runs integer, p_of_lena integer, p_of_maya integer)
returns text
language sql
as $$
  insert into app.fan_outs (event_id, batch_index)
  values (md5('lena')::uuid, p_of_lena), (md5('maya')::uuid, p_of_maya);
  select app.fan_out() from generate_series(1, p_runs);
  with queued as (delete from app.fan_outs returning *)
  select string_agg(p.username || ' ' || f.batch_index, ', ' order by p.username, f.batch_index)
  from queued as f
  join app.events as e on e.id = f.event_id
  join app.profiles as p on p.user_id = e.actor_id
$$;

-- An index returns rows in order even without an order by. The first call keeps its plan.
select tests.disable_index_scans();
select is(pg_temp.queue_after(runs, of_lena, of_maya), expected, title)
from (
  values
    (1, 0, 1, 'lena 0, lena 1, maya 1', 'fan_out divides the event with the fewest batches'),
    (2, 0, 1, 'lena 1, maya 1', 'fan_out notifies the batch of an event with none before'),
    (4, 0, 1, null, 'fan_out removes every event whose recipients are all notified'),
    (1, 2, 1, 'lena 2', 'fan_out serves an event with one batch before an event with two')
) as c (runs, of_lena, of_maya, expected, title);
create temporary table event_ids as
select id::uuid from unnest(array['7', '0', 'f']) as first (digit) cross join lateral repeat(digit, 32) as id;
insert into app.events (id, type) select id, 'user_followed' from event_ids;
insert into app.fan_outs (event_id) select id from event_ids;
select app.fan_out();
select set_eq(
  'select event_id from app.fan_outs', $$ select id from event_ids where id::text !~ '^0' $$,
  'fan_out serves the oldest of the events with equally many batches'
);
select results_eq(
  $$ select tests.notifications_of('jonas') $$, array['followed_user_posted by maya'],
  'fan_out notifies a recipient once though the event runs twice'
);

rollback to empty;

-- fan_out notifies 2,000 recipients per batch (docs/product.md N14).
select tests.person('lena');
insert into app.users (id) select tests.id('follower ' || n) from generate_series(1, 4001) as n;
insert into app.follows (follower_id, followee_id)
select tests.id('follower ' || n), tests.id('lena')
from generate_series(1, 4001) as n;
select tests.post('trams', 'lena');
create function pg_temp.recipients()
returns setof uuid
language sql
as $$
  select n.recipient_id
  from app.notifications as n
  join app.events as e on e.id = n.event_id
  where e.post_id = tests.id('trams')
$$;
create temporary table followers as select tests.id('follower ' || n) as id from generate_series(1, 4001) as n;

select is_empty(
  'select pg_temp.recipients()', 'a post notifies none of 4,001 followers before the first run of fan_out'
);
select ok(app.fan_out(), 'fan_out reports more work after it has divided an event');
select bag_eq(
  'select next_user_id, until_user_id, batch_index from app.fan_outs',
  $$
    select id, lead(id) over (order by id), (row_number() over (order by id))::integer - 1
    from (select id, row_number() over (order by id) as place from followers) as f
    where place % 2000 = 1
  $$,
  'fan_out divides 4,001 recipients into batches of 2,000, 2,000 and one, each with the number of those before'
);
select is_empty('select pg_temp.recipients()', 'fan_out notifies nobody while it divides');
select ok(app.fan_out(), 'fan_out reports more work after the first of three batches');
select bag_eq(
  'select pg_temp.recipients()', 'select id from followers order by id limit 2000',
  'fan_out notifies the first 2,000 followers by id'
);
select app.fan_out();
select bag_eq(
  'select pg_temp.recipients()', 'select id from followers order by id limit 4000',
  'fan_out notifies the next 2,000 followers'
);
select ok(app.fan_out(), 'fan_out reports more work after the batch that ends an event');
select bag_eq(
  'select pg_temp.recipients()', 'select id from followers', 'fan_out notifies each of 4,001 followers once'
);
select is_empty('select from app.fan_outs', 'fan_out removes the event after its last recipient');
select ok(not app.fan_out(), 'fan_out reports no more work for an empty queue');

-- More recipients in a batch than it had when it was made.
delete from app.notifications;
insert into app.fan_outs (event_id, next_user_id, until_user_id)
select e.id, (select min(f.id::text)::uuid from followers as f),
  (select f.id from followers as f order by f.id offset 3000 limit 1)
from app.events as e
where e.post_id = tests.id('trams');
-- The next batch of the event comes later.
insert into app.fan_outs (event_id, next_user_id, batch_index)
select f.event_id, f.until_user_id, 1 from app.fan_outs as f;
select app.fan_out();
select bag_eq(
  'select next_user_id, batch_index from app.fan_outs',
  $$
    select id, case place when 2001 then 0 else 1 end
    from (select id, row_number() over (order by id) as place from followers) as f
    where place in (2001, 3001)
  $$,
  'fan_out keeps a batch that has grown, from the first user that it has not notified, and the next batch'
);
select app.fan_out();
select bag_eq(
  'select pg_temp.recipients()', 'select id from followers order by id limit 3000',
  'fan_out notifies everybody in a batch that has grown, and nobody of the next one'
);
select is(count(*), 1::bigint, 'fan_out removes a batch that had grown after its last recipient') from app.fan_outs;

rollback to empty;

-- candidates_for selects recipients by relations from before the event, in pages by id.
-- docs/product.md N3, N4
select tests.elm();
select tests.hub('oak', 'lena');
select tests.person('ann', 4), tests.person('ben', 4);
select tests.membership('elm', 'ann', 'member', app.now() + interval '1 microsecond');
select tests.post('trams', 'lena'), tests.post('bikes', 'jonas');
select tests.repost('trams repost', 'maya', 'trams'),
  tests.repost('bikes repost', 'maya', 'bikes', 'private_locked_hub');
select tests.placement('bikes repost', 'elm'),
  tests.placement('trams repost', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.follow('maya', 'lena'), tests.follow('jonas', 'lena'), tests.follow('ann', 'lena');
select
  tests.follow('ben', 'jonas'), tests.follow('lena', 'ben'),
  tests.follow('ben', 'lena', app.now() + interval '1 microsecond');
update app.follows set is_muted = true where follower_id = tests.id('ann');
select tests.invitation('to lena', 'elm', 'maya', 'lena'), tests.invitation('to jonas', 'elm', 'maya', 'jonas');
select tests.invitation('to an unknown phone', 'elm', 'maya', 'unknown');
-- An update moves a row behind the others, and an index returns rows in order even without an order by.
update app.memberships set role = role where user_id = least(tests.id('amara'), tests.id('maya'));
select tests.disable_index_scans();

create function pg_temp.names(p_event app.events)
returns text
language sql
as $$
  select string_agg(p.username, ', ' order by p.username)
  from unnest(app.candidates_for(p_event, '00000000-0000-0000-0000-000000000000', 10)) as candidate (id)
  join app.profiles as p on p.user_id = candidate.id
$$;
create temporary table cases as
select *
from (
  values
    (tests.event('user_followed', 'maya', 'lena'), 'lena', 'the subject is a candidate'),
    (tests.event('user_followed', 'maya'), null, 'an event without a subject has no candidate'),
    (
      tests.event('followed_user_posted', 'lena'), 'jonas, maya',
      'followers are candidates, but not those who muted or who followed after the event'
    ),
    (
      tests.event('followed_user_posted', 'lena', p_occurred_at => app.now() + interval '1 second'), 'ben, jonas, maya',
      'a follower from before the event is a candidate'
    ),
    (
      tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'to lena'), 'lena',
      'the owner of an invited phone is a candidate, even a member of another Hub'
    ),
    (
      tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'to an unknown phone'), null,
      'an invited phone without an account has no candidate'
    ),
    (
      tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'to jonas'), null,
      'an invited member of the Hub is no candidate'
    ),
    (
      tests.event('hub_post_created', p_hub => 'elm'), 'amara, jonas, maya',
      'members are candidates, but not one who joined after the event'
    ),
    (
      tests.event('hub_post_created', p_hub => 'elm', p_occurred_at => app.now() + interval '1 second'),
      'amara, ann, jonas, maya', 'a member who joined before the event is a candidate'
    ),
    (
      tests.event('hub_post_created', p_hub => 'elm', p_occurred_at => app.now() - interval '1 microsecond'), null,
      'members who joined a microsecond after the event are no candidates'
    ),
    (
      tests.event('post_shared_to_hub', 'maya', p_hub => 'elm', p_post => 'bikes repost'), 'amara, maya',
      'the author of the original of a repost that is published into the Hub is no candidate as a member'
    ),
    (
      tests.event('post_shared_to_hub', 'maya', p_hub => 'elm', p_post => 'trams repost'), 'amara, jonas, maya',
      'members are candidates for a repost that is shared into the Hub'
    ),
    (
      tests.event('post_shared_to_hub', 'maya', p_hub => 'elm', p_post => 'bikes'), 'amara, jonas, maya',
      'the author of a shared post is a candidate as a member'
    ),
    (tests.event('post_commented', 'maya', p_post => 'trams'), 'lena', 'the author of a post is a candidate'),
    (
      tests.event('post_reposted', 'maya', p_post => 'trams repost'), 'lena',
      'the author of the original of a public repost is a candidate'
    ),
    (
      tests.event('post_reposted', 'maya', p_hub => 'elm', p_post => 'trams repost'), null,
      'a non-member of the Hub of a private repost is no candidate'
    ),
    (
      tests.event('post_reposted', 'maya', p_hub => 'elm', p_post => 'bikes repost'), 'jonas',
      'a member of the Hub of a private repost is a candidate'
    ),
    (tests.event('post_reposted', 'maya', p_post => 'trams'), null, 'a post that is no repost has no candidate'),
    (
      tests.event('hub_join_request_created', 'lena', p_hub => 'elm'), 'amara, maya',
      'the admin and the manager of the Hub of a join request are candidates'
    )
) as c (event, expected, title);
select is(pg_temp.names(event), expected, title) from cases;
-- Returns all candidates, read in pages of this length.
create function pg_temp.pages(p_event app.events, p_limit integer)
returns uuid[]
language plpgsql
as $$
declare
  v_all uuid[] := '{}';
  v_page uuid[] := array['00000000-0000-0000-0000-000000000000'];
begin
  loop
    v_page := app.candidates_for(p_event, v_page[cardinality(v_page)], p_limit + 1);
    v_all := v_all || v_page[:p_limit];
    exit when cardinality(v_page) <= p_limit or cardinality(v_all) > 10;
  end loop;
  return v_all;
end
$$;
select is_empty(
  $$
    select title from cases cross join generate_series(1, 2) as size
    where pg_temp.pages(event, size) <> array(
      select id from unnest(app.candidates_for(event, '00000000-0000-0000-0000-000000000000', 10)) as id order by id
    )
  $$,
  'candidates_for returns every candidate once, by id, in pages of one and two'
);

-- event_mutes holds the mutes that silence posts in a Hub.
delete from app.events;
insert into app.events (type, hub_id)
select type, hub
from unnest(enum_range(null::app.event_type)) as type
cross join unnest(array[tests.id('elm'), tests.id('oak'), null]) as hub
where type <> 'post_vote_milestone';
insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('jonas'));
select bag_eq(
  $$ select e.type::text, e.hub_id, m.user_id from app.event_mutes as m join app.events as e on e.id = m.event_id $$,
  $$
    select type, tests.id('elm'), tests.id('jonas') as muting
    from unnest(array['hub_post_created', 'post_shared_to_hub', 'post_reposted']) as type
  $$,
  'event_mutes holds a mute for the three types of posts in its Hub alone'
);

rollback to empty;

-- A reply notifies the authors of the comment that it names and of the thread (docs/product.md N3).
select tests.person(name) from unnest(array['lena', 'maya', 'jonas', 'ann', 'ben']) as name;
select tests.post('trams', 'lena');
create function pg_temp.reply(p_author text, p_parent text, p_text text default 'Hello')
returns setof text
language plpgsql
as $$
begin
  delete from app.events;
  perform tests.value_as(p_author, format(
    'api.create_comment(%L)',
    tests.post_args('trams') || jsonb_build_object('parentCommentId', tests.id(p_parent), 'text', p_text)
  ));
  return query
  select format('%s: %s', e.type, p.username)
  from app.notifications as n
  join app.events as e on e.id = n.event_id
  join app.profiles as p on p.user_id = n.recipient_id;
end
$$;
select tests.comment('root', 'maya', 'trams'), tests.comment('of lena', 'lena', 'trams');
select tests.comment('reply', 'jonas', 'trams', 'root');
select bag_eq(format('select pg_temp.reply(%L, %L)', caller, parent), expected, title)
from (values
  (
    'ann', 'root', array['post_commented: lena', 'comment_replied: maya'],
    'a reply to the first comment of a thread notifies its author'
  ),
  (
    'ann', 'reply', array['post_commented: lena', 'comment_replied: maya', 'comment_replied: jonas'],
    'a reply to a reply notifies the author of the reply and the author of the thread'
  ),
  (
    'jonas', 'reply', array['post_commented: lena', 'comment_replied: maya'],
    'a reply to one''s own reply notifies the author of the thread alone'
  ),
  ('maya', 'root', array['post_commented: lena'], 'a reply in one''s own thread notifies the author of the post alone'),
  ('ann', 'of lena', array['post_commented: lena'], 'a reply to the author of the post notifies them once'),
  (
    'lena', 'reply', array['comment_replied: maya', 'comment_replied: jonas'],
    'a reply of the author of the post notifies both other authors'
  ),
  ('ann', null, array['post_commented: lena'], 'a comment that is no reply notifies the author of the post alone')
) as c (caller, parent, expected, title);
select tests.block('jonas', 'ann');
select bag_eq(
  $$ select pg_temp.reply('ann', 'root') $$, array['post_commented: lena', 'comment_replied: maya'],
  'a reply in a thread with somebody blocked notifies its author'
);
delete from app.blocks;
select tests.block('maya', 'jonas');
select bag_eq(
  $$ select pg_temp.reply('lena', 'reply') $$, array['comment_replied: maya'],
  'a reply notifies nobody who has blocked the author of the thread'
);
delete from app.blocks;
select pg_temp.reply('ann', 'reply');
select is(tests.unread_count('jonas'), 1, 'a notification of a reply counts as unread');
select tests.block('jonas', 'maya');
select is(
  tests.unread_count('jonas'), 0,
  'a block of the author of the thread hides a notification of a reply from the unread count'
);
select is_empty(
  $$ select tests.due_notifications_of('jonas') $$,
  'a block of the author of the thread withholds a notification of a reply'
);
savepoint blocked;
select app.delete_comment(tests.id('root'));
select is(
  tests.unread_count('jonas'), 1, 'a block of the author of a deleted first comment hides no notification of a reply'
);
rollback to blocked;
select is(
  tests.inbox('jonas') -> 'items', '[]',
  'a block of the author of the thread hides a notification of a reply from the inbox'
);

rollback to empty;

-- usernames_in finds whole handles in a text (docs/product.md N25).
select is(app.usernames_in(given), expected::text[], title)
from (values
  ('Hello @maya and @jonas!', '{maya,jonas}', 'usernames_in returns handles in their order'),
  ('@Maya, @MAYA', '{maya}', 'usernames_in returns a handle once, in lower case'),
  ('@maya_b (@ann) "@ben"', '{maya_b,ann,ben}', 'usernames_in reads a handle up to a character that is no part of one'),
  ('maya@example.com é@maya _@maya 1@maya', '{}', 'usernames_in skips an @ after a letter, a digit or an underscore'),
  ('@mayaé @mayá @ｍaya @mayaａ', '{}', 'usernames_in skips a handle that goes on in Latin letters beyond ASCII'),
  (
    '@mayaさん 你好@jonas （@ann） @benа', '{maya,jonas,ann,ben}',
    'usernames_in ends a handle before letters of other scripts'
  ),
  ('@maya@other.example https://x.example/@maya foo@maya', '{}', 'usernames_in skips addresses and paths'),
  ('@maya٤ ٤@maya', '{}', 'usernames_in skips a handle beside a digit of any script'),
  ('@maye' || chr(769), '{}', 'usernames_in skips a handle that ends in a combined letter'),
  ('@ab @' || repeat('a', 31) || ' @', '{}', 'usernames_in skips what is too short or too long for a handle'),
  ('@@maya', '{}', 'usernames_in skips a handle after two signs'),
  (
    (select string_agg('@user_' || n, ' ') from generate_series(1, 12) as n),
    (select array_agg('user_' || n order by n)::text from generate_series(1, 10) as n),
    'usernames_in returns the first ten handles'
  ),
  ('@maya ' || repeat('@MAYA ', 20) || '@ann', '{maya,ann}', 'usernames_in counts a repeated handle once'),
  (null, '{}', 'usernames_in returns no handle without a text')
) as c (given, expected, title);

-- A mention notifies people who can see the text, unless another notification is about the same text.
-- docs/product.md N25
select tests.elm();
select tests.hub('oak', 'lena');
select tests.person(name, 4) from unnest(array['ann', 'ben', 'eve']) as name;
select tests.membership('oak', 'ann'), tests.membership('elm', 'ann');
select tests.follow('ben', 'lena');
create function pg_temp.notified(p_type app.event_type default null)
returns setof text
language sql
as $$
  select format('%s: %s', e.type, p.username)
  from app.notifications as n
  join app.events as e on e.id = n.event_id
  join app.profiles as p on p.user_id = n.recipient_id
  where p_type is null or e.type = p_type
$$;
-- Publishes a post of Lena's, into Hubs of hers or for everybody, and returns who is notified of it.
create function pg_temp.publish(p_text text, p_visibility text default 'public', variadic p_hubs text[] default '{}')
returns setof text
language plpgsql
as $$
begin
  delete from app.events;
  perform tests.value_as('lena', format('api.create_post(%L)', jsonb_build_object(
    'thoughtText', p_text, 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs))
  )));
  return query select pg_temp.notified();
end
$$;
select tests.membership('elm', 'lena', 'admin');
select bag_eq(format('select pg_temp.publish(%L, %L, variadic %L)', given, visibility, hubs), expected::text[], title)
from (values
  (
    'Hello @ann', 'public', '{}'::text[], '{followed_user_posted: ben,user_mentioned: ann}',
    'a public thought notifies a person whom it mentions'
  ),
  (
    'Hello @ben', 'public', '{}', '{followed_user_posted: ben}',
    'a mention does not notify a follower, whom the post notifies'
  ),
  (
    'Hello @lena @nobody', 'public', '{}', '{followed_user_posted: ben}',
    'a mention of oneself or of an unknown handle notifies nobody'
  ),
  (
    'Hello @ann @eve', 'private_locked_hub', '{oak}', '{hub_post_created: ann}',
    'a mention in a Hub notifies neither members, whom the post notifies, nor outsiders'
  ),
  (
    'Hello @eve @ann @ben', 'public_hub', '{oak}',
    '{hub_post_created: ann,followed_user_posted: ben,user_mentioned: eve}',
    'a mention in a public post of a Hub notifies those alone whom nothing else notifies'
  ),
  (
    'Hello @ann', 'private_locked_hub', '{oak,elm}',
    '{hub_post_created: ann,hub_post_created: ann,hub_post_created: amara,hub_post_created: maya,hub_post_created: '
    'jonas}',
    'a mention adds nothing for a member of two Hubs'
  )
) as c (given, visibility, hubs, expected, title);
insert into app.hub_mutes (hub_id, user_id) values (tests.id('oak'), tests.id('ann'));
update app.follows set is_muted = true;
select bag_eq(
  $$ select pg_temp.publish('Hello @ann', 'private_locked_hub', 'oak') $$, array['user_mentioned: ann'],
  'a mention notifies a member who has muted the Hub'
);
select results_eq(
  $$ select audience::text, audience_id from app.notifications $$, $$ values ('target_member', tests.id('lena')) $$,
  'a mention in a private post is visible while its recipient can see the post'
);
select is(tests.unread_count('ann'), 1, 'a mention in a private post counts as unread for a member');
select bag_eq(
  $$ select d.id from app.due_notifications as d $$, $$ select n.id from app.notifications as n $$,
  'a mention in a muted Hub is due for the stream and for devices'
);
delete from app.memberships where user_id = tests.id('ann') and hub_id = tests.id('oak');
select is(tests.unread_count('ann'), 0, 'a mention in a private post is hidden from a former member');
select bag_eq(
  $$ select pg_temp.publish('Hello @ben') $$, array['user_mentioned: ben'],
  'a mention notifies a follower who has muted publications'
);
select tests.block('ann', 'lena');
select is_empty($$ select pg_temp.publish('Hello @ann') $$, 'a mention notifies nobody who blocks its author');

-- A repost's own thought may mention, and the author of its original is notified once.
delete from app.events;
delete from app.follows;
select tests.post('bikes', 'maya');
delete from app.events;
select tests.value_as(
  'lena',
  format('api.create_repost(%L)', tests.post_args('bikes') || '{"thoughtText": "@maya @jonas", "visibility": "public"}')
);
select bag_eq(
  'select pg_temp.notified()', array['post_reposted: maya', 'user_mentioned: jonas'],
  'a mention in a repost does not notify the author of its original a second time'
);

-- A comment notifies each person once.
delete from app.blocks;
delete from app.events;
select tests.comment('root', 'jonas', 'bikes');
delete from app.events;
select tests.value_as('lena', format('api.create_comment(%L)', tests.post_args('bikes') || jsonb_build_object(
  'parentCommentId', tests.id('root'), 'text', '@maya @jonas @ann @lena @ANN'
)));
select bag_eq(
  'select pg_temp.notified()', array['post_commented: maya', 'comment_replied: jonas', 'user_mentioned: ann'],
  'a mention in a comment notifies nobody whom the comment or the reply notifies'
);
select is(
  tests.inbox('ann') #> '{items,0}' ->> 'commentId',
  (select c.id::text from app.comments as c where c.author_id = tests.id('lena')),
  'a notification of a mention in a comment names the comment'
);
select tests.block('ann', 'jonas');
select is(tests.unread_count('ann'), 0, 'a block of the author of the thread hides a mention');
delete from app.events;
select tests.value_as('lena', format('api.create_comment(%L)', tests.post_args('bikes') || jsonb_build_object(
  'parentCommentId', tests.id('root'), 'text', '@ann'
)));
select is_empty($$ select pg_temp.notified('user_mentioned') $$, 'a mention notifies nobody who cannot see the thread');

rollback to empty;

-- The worker notifies nobody of a text whom a mention has notified meanwhile.
select tests.person(name) from unnest(array['lena', 'maya', 'jonas']) as name;
select tests.follow('maya', 'lena'), tests.follow('jonas', 'lena');
update app.follows set is_muted = true where follower_id = tests.id('maya');
insert into app.posts (id, author_id, thought_text, visibility)
values (tests.id('trams'), tests.id('lena'), 'Hello @maya', 'public');
insert into app.fan_outs (event_id) select e.id
from app.events as e
where e.type = 'followed_user_posted'
on conflict do nothing;
delete from app.notifications where recipient_id = tests.id('jonas');
update app.follows set is_muted = false;
select ok(app.fan_out(), 'fan_out runs for a post that mentions a follower');
select bag_eq(
  $$
    select format('%s: %s', e.type, p.username)
    from app.notifications as n
    join app.events as e on e.id = n.event_id
    join app.profiles as p on p.user_id = n.recipient_id
  $$,
  array['followed_user_posted: jonas', 'user_mentioned: maya'],
  'fan_out does not notify a follower whom a mention has notified of the post'
);

rollback to empty;

-- Follows and feed shares notify once in 24 hours (docs/product.md N26).
select tests.person(name) from unnest(array['lena', 'maya', 'jonas']) as name;
select tests.post('trams', 'maya'), tests.post('bikes', 'maya');
delete from app.events;
create function pg_temp.follow_and_unfollow(p_caller text)
returns void
language plpgsql
as $$
begin
  perform tests.value_as(p_caller, format('api.follow_user(%L)', tests.user_args('maya')));
  perform tests.value_as(p_caller, format('api.unfollow_user(%L)', tests.user_args('maya')));
end
$$;
select pg_temp.follow_and_unfollow('lena') from generate_series(1, 3);
select tests.value_as('lena', format('api.share_to_feed(%L)', tests.post_args('trams'))) from generate_series(1, 3);
select bag_eq(
  $$ select tests.notifications_of('maya') $$, array['user_followed by lena', 'post_shared_to_feed by lena of trams'],
  'repeated follows and feed shares of one person notify once each'
);
select pg_temp.follow_and_unfollow('jonas');
select tests.value_as('lena', format('api.share_to_feed(%L)', tests.post_args('bikes')));
select is(
  count(*), 4::bigint, 'a follow of another person and a share of another post notify'
) from tests.notifications_of('maya');
update app.events set occurred_at = app.now() - interval '24 hours' + interval '1 microsecond';
select pg_temp.follow_and_unfollow('lena');
select is(
  count(*), 4::bigint, 'a follow less than 24 hours after the first notifies nobody'
) from tests.notifications_of('maya');
update app.events set occurred_at = app.now() - interval '24 hours';
select pg_temp.follow_and_unfollow('lena') from generate_series(1, 2);
select tests.value_as('lena', format('api.share_to_feed(%L)', tests.post_args('trams')));
select is(
  count(*), 6::bigint, 'a follow and a share 24 hours after the first notify again'
) from tests.notifications_of('maya');

rollback to empty;

-- record_inbox_changes counts every change of what a user may see in the inbox (docs/product.md N11).
select tests.elm();
select tests.person('ann', 3);
-- Runs a change and returns the rows of inbox_counts that it added, as "user audience unread/changes".
create function pg_temp.counts_after(p_change text)
returns text
language plpgsql
as $$
begin
  delete from app.inbox_counts;
  execute p_change;
  return (
    select string_agg(
      concat_ws(' ', p.username, coalesce(h.name, c.audience::text), c.unread_count || '/' || c.change_count), ', '
      order by p.username, h.name, c.unread_count
    )
    from app.inbox_counts as c
    join app.profiles as p on p.user_id = c.user_id and (c.audience_id = c.user_id or c.audience = 'hub_member')
    left join app.hubs as h on h.id = c.audience_id
  );
end
$$;
savepoint counted;

select is(pg_temp.counts_after(change), expected, title)
from (
  values
    (
      $$ select tests.membership('elm', 'lena') $$, 'lena everybody 0/1',
      'joining a Hub changes the inbox of the new member'
    ),
    (
      $$ update app.memberships set role = 'manager' $$, null, 'a role change leaves the inbox of a member unchanged'
    ),
    (
      $$ delete from app.memberships where user_id = tests.id('lena') $$, 'lena everybody 0/1',
      'leaving a Hub changes the inbox of the former member'
    ),
    (
      $$ select tests.block('maya', 'jonas') $$, 'jonas everybody 0/1, maya everybody 0/1',
      'a block changes the inboxes of both users'
    ),
    (
      'delete from app.blocks', 'jonas everybody 0/1, maya everybody 0/1',
      'an unblock changes the inboxes of both users'
    ),
    (
      $$ update app.users set contacts_synced_at = app.now() where id = tests.id('ann') $$, 'ann everybody 0/1',
      'becoming Hub-ready changes the inbox of the user'
    ),
    (
      $$
        update app.users
        set contacts_synced_at = app.now() + interval '1 second', terms_version = '2', terms_accepted_at = app.now()
      $$,
      null, 'a repeated contact sync and accepted terms leave the inbox unchanged'
    ),
    (
      $$ update app.users set media_completed_at = null where id = tests.id('ann') $$, 'ann everybody 0/1',
      'losing completed media changes the inbox of the user'
    ),
    (
      $$ update app.users set phone = null, phone_verified_at = null where id = tests.id('ann') $$, 'ann everybody 0/1',
      'losing the phone changes the inbox of the user'
    )
) as c (change, expected, title);

rollback to counted;

-- record_notifications fills the outbox and counts unread notifications.
select tests.notification('follow of maya', 'maya'), tests.notification('follow of jonas', 'jonas');
select bag_eq(
  'select notification_id, due_at, attempt_count from app.outbox',
  $$ values (tests.id('follow of maya'), app.now(), 0), (tests.id('follow of jonas'), app.now(), 0) $$,
  'record_notifications adds each new notification to the outbox, due at once'
);
delete from app.outbox;
update app.notifications set read_at = app.now();
delete from app.notifications;
select is_empty('select from app.outbox', 'record_notifications adds nothing to the outbox for an update or a delete');

insert into app.events (id, type, hub_id)
select tests.id('event ' || n), 'hub_role_changed', tests.id('elm')
from generate_series(1, 3) as n;
select is(pg_temp.counts_after(change), expected, title)
from (
  values
    (
      $$
        insert into app.notifications (event_id, recipient_id, audience, audience_id, read_at)
        select tests.id('event ' || n), tests.id(recipient), 'hub_member', tests.id('elm'),
          case when n = 3 then app.now() end
        from generate_series(1, 3) as n cross join unnest(array['maya', 'jonas']) as recipient
        where recipient = 'maya' or n <> 2
      $$,
      'jonas elm 1/1, maya elm 2/1',
      'an insert of several notifications adds one row per recipient with the unread count'
    ),
    (
      $$ select tests.notification('another follow of maya', 'maya') $$, 'maya everybody 1/1',
      'a notification without a Hub counts in the audience of the recipient'
    ),
    (
      $$ update app.notifications set read_at = app.now() where recipient_id = tests.id('maya') $$,
      'maya elm -2/1, maya elm 0/1, maya everybody -1/1, maya everybody 0/1',
      'marking notifications read lowers the unread count of each audience'
    ),
    (
      'delete from app.notifications', 'jonas elm -1/1, maya elm 0/1, maya everybody 0/1',
      'deleting notifications lowers the unread count by the unread ones alone'
    ),
    (
      $$
        insert into app.notifications (event_id, recipient_id, audience, audience_id)
        values (tests.id('event 1'), tests.id('jonas'), 'everybody', tests.id('jonas'))
      $$,
      'jonas everybody 1/1', 'a notification of a Hub event without its Hub counts in the audience of the recipient'
    ),
    (
      $$ update app.notifications set recipient_id = tests.id('ann'), audience_id = tests.id('ann') $$,
      'ann everybody 1/1, jonas everybody -1/1', 'a changed recipient moves the unread count to the new recipient'
    ),
    ('delete from app.notifications where false', null, 'a statement that changes no notification counts nothing')
) as c (change, expected, title);

rollback to empty;

-- notify omits the actor, blocked pairs, ended accounts and members who muted the Hub.
-- docs/product.md N4, N13
select tests.elm();
select tests.person(name, 4) from unnest(array['ann', 'ben', 'eve', 'tom']) as name;
select tests.membership('elm', 'lena');
select tests.post('trams', 'eve', 'public_hub');
select tests.block('ann', 'maya'), tests.block('maya', 'ben'), tests.block('tom', 'eve'), tests.block('lena', 'amara');
select app.end_user(tests.id('amara'));
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id
from app.memberships
where user_id = tests.id('jonas');
select tests.hub('oak', 'lena');
insert into app.hub_mutes (hub_id, user_id)
select hub_id, user_id
from app.memberships
where hub_id = tests.id('oak')
on conflict do nothing;
select tests.insert_event(tests.event('post_shared_to_hub', 'maya', p_hub => 'elm', p_post => 'trams'));
select tests.insert_event(tests.event('hub_member_joined', 'maya', 'maya', 'elm'));

select app.notify(e, tests.ids('amara', 'maya', 'jonas', 'lena', 'ann', 'ben', 'eve', 'tom', 'no such person'))
from app.events as e where e.type = 'post_shared_to_hub';
select set_eq(
  $$ select tests.recipients('post_shared_to_hub') $$, array['lena', 'eve'],
  'notify omits the actor, blocked pairs, ended accounts and members who muted the Hub'
);
select app.notify(e, tests.ids('maya', 'jonas', 'lena', 'tom')) from app.events as e where e.type = 'hub_member_joined';
select set_eq(
  $$ select tests.recipients('hub_member_joined') $$, array['jonas', 'lena', 'tom'],
  'notify ignores a Hub mute for an event that is no post'
);

rollback to empty;

-- notify stores the audience, audience, actor and author that decide who sees a notification.
select tests.elm();
select
  tests.post('of lena', 'lena', 'public_hub'), tests.post('of jonas', 'jonas', 'public_hub'),
  tests.post('of maya', 'maya', 'public_hub');
create function pg_temp.notified(p_event app.events)
returns text
language sql
as $$
  delete from app.notifications;
  select tests.insert_event(p_event);
  select app.notify(p_event, tests.ids('jonas'));
  select concat_ws(
    ', ', n.audience, coalesce(h.name, audience.username), 'by ' || actor.username, 'of ' || author.username,
    case when n.recipient_id = tests.id('jonas') and n.created_at = app.now() and n.read_at is null then 'new' end
  )
  from app.notifications as n
  left join app.hubs as h on h.id = n.audience_id
  left join app.profiles as audience on audience.user_id = n.audience_id
  left join app.profiles as actor on actor.user_id = n.actor_id
  left join app.profiles as author on author.user_id = n.author_id
$$;

select is(pg_temp.notified(event), expected, title)
from (
  values
    (
      tests.event('post_shared_to_hub', 'maya', null, 'elm', 'of lena'), 'hub_member, elm, by maya, of lena, new',
      'notify stores Hub, actor and author for a shared post of a third user'
    ),
    (
      tests.event('post_commented', 'maya', null, null, 'of jonas'), 'everybody, jonas, by maya, new',
      'notify stores no author for a post of the recipient'
    ),
    (
      tests.event('followed_user_posted', 'maya', null, null, 'of maya'), 'everybody, jonas, by maya, new',
      'notify stores no author for a post of the actor'
    ),
    (
      tests.event('hub_member_removed', 'maya', 'jonas', 'elm'), 'hub_ready, elm, by maya, new',
      'notify stores no author for an event without a post'
    ),
    (
      jsonb_populate_record(
        tests.event('post_vote_milestone', null, 'jonas', null, 'of lena'),
        '{"milestone_total": 100, "milestone_count": 100}'
      ),
      'post_viewer, lena, of lena, new', 'notify stores the author for an event without an actor'
    )
) as c (event, expected, title);

-- notify writes one notification per event and recipient.
delete from app.notifications;
select tests.insert_event(tests.event('hub_member_joined', 'lena', 'lena', 'elm'));
select tests.insert_event(tests.event('hub_member_removed', 'amara', 'lena', 'elm'));
select app.notify(e, tests.ids('maya', 'jonas', 'maya')) from app.events as e where e.type = 'hub_member_joined';
update app.notifications set read_at = app.now() where recipient_id = tests.id('maya');
select app.notify(e, tests.ids('maya', 'amara')) from app.events as e where e.type = 'hub_member_joined';
select bag_eq(
  'select tests.recipients()', array['maya', 'jonas', 'amara'],
  'notify skips a recipient who was notified of the same event'
);
select isnt_empty(
  $$ select from app.notifications where recipient_id = tests.id('maya') and read_at is not null $$,
  'notify leaves a read notification read when the event repeats'
);
select app.notify(
  e, tests.ids('maya')
)
from app.events as e where e.type = 'hub_member_removed' and e.actor_id = tests.id('amara');
select bag_eq(
  'select tests.recipients()', array['maya', 'maya', 'jonas', 'amara'],
  'notify notifies the same recipient of another event'
);

select * from finish();
rollback;
