begin;
select plan(113);
savepoint empty;

-- deliver_event: tells at once up to a thousand
select tests.person('lena'), tests.person('maya');
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 1000) as n;
insert into app.follows (follower_id, followee_id) select tests.id('fan ' || n), tests.id('lena') from generate_series(1, 1000) as n;
create function pg_temp.publish(p_name text)
returns bigint
language plpgsql
as $$
begin
  perform tests.post(p_name, 'lena');
  return (select count(*) from app.notifications as n join app.events as e on e.id = n.event_id where e.post_id = tests.id(p_name));
end
$$;
-- What a transaction has told counts to its end.
select set_config('app.told_count', '', true);
select is(pg_temp.publish('first'), 1000::bigint, 'a thousand are told at once');
select is_empty('select from app.fan_outs', 'and nobody later');
select is(pg_temp.publish('second'), 0::bigint, 'whoever is more than that in the same transaction is not');
select app.emit('user_followed', tests.id('lena'), tests.id('maya'));
select is_empty($$ select tests.told('maya') $$, 'even where it is one');
select bag_eq(
  'select e.type::text, f.after_user_id, f.turn_count from app.fan_outs as f join app.events as e on e.id = f.event_id',
  $$ values ('followed_user_posted', '00000000-0000-0000-0000-000000000000'::uuid, 0), ('user_followed', '00000000-0000-0000-0000-000000000000', 0) $$,
  'the worker tells them'
);
select app.emit('user_followed', tests.id('lena'));
select is(count(*), 2::bigint, 'and of what is for nobody it need not') from app.fan_outs;
select set_config('app.told_count', '400', true);
delete from app.follows where follower_id in (select tests.id('fan ' || n) from generate_series(601, 1000) as n);
select is(pg_temp.publish('third'), 600::bigint, 'what was told before leaves room for so many');
select set_config('app.told_count', '401', true);
select is(pg_temp.publish('fourth'), 0::bigint, 'to the last');
select set_config('app.told_count', '', true);
select tests.follow('maya', 'lena');
insert into app.follows (follower_id, followee_id) select tests.id('fan ' || n), tests.id('lena') from generate_series(601, 1000) as n;
select is(pg_temp.publish('fifth'), 0::bigint, 'of a thousand and one nobody is told at once');
-- What a function sets for its transaction ends with one that has a value of its own, as it would with the transaction.
create function pg_temp.follow()
returns void
language sql
set app.told_count = '7'
as $$ select app.emit('user_followed', tests.id('lena'), tests.id('maya')) $$;
select set_config('app.told_count', '5', true);
select pg_temp.follow();
select is(current_setting('app.told_count'), '5', 'the next transaction begins at naught');
select is_empty($$ select tests.who_may('select app.deliver_event(null)') $$, 'no role announces anything');

rollback to empty;

-- audience_of: says what a recipient must be
select tests.elm();
select tests.post('open', 'maya'), tests.post('half open', 'maya', 'public_hub'), tests.post('closed', 'maya', 'private_locked_hub');

create function pg_temp.audiences(p_hub text, p_post text)
returns table (type text, audience text)
language sql
as $$ select type::text, app.audience_of(tests.event(type, p_hub => p_hub, p_post => p_post))::text from unnest(enum_range(null::app.event_type)) as type $$;

select set_eq(
  $$ select * from pg_temp.audiences('elm', 'open') where audience <> 'hub_member' $$,
  $$ values ('hub_invite_received', 'hub_ready'), ('hub_join_request_rejected', 'hub_ready'), ('hub_member_removed', 'hub_ready') $$,
  'what is of a Hub is for its members, but for what is about being none'
);
select is(count(*), 13::bigint, 'whatever its type') from pg_temp.audiences('elm', null) where audience = 'hub_member';
select set_eq(
  $$ select * from pg_temp.audiences(null, 'open') where audience <> 'nobody' $$,
  $$
    values
      ('user_followed', 'everybody'), ('post_commented', 'everybody'), ('post_shared_to_feed', 'everybody'), ('post_voted', 'everybody'),
      ('post_reposted', 'everybody'), ('post_vote_milestone', 'everybody'), ('followed_user_posted', 'everybody')
  $$,
  'what is about an open post is for its recipient; a Hub''s affair without its Hub for nobody'
);
select set_eq(
  $$ select * from pg_temp.audiences(null, 'half open') $$, $$ select * from pg_temp.audiences(null, 'open') $$, 'also where the post is in Hubs as well'
);
select set_eq(
  $$ select * from pg_temp.audiences(null, 'closed') except select * from pg_temp.audiences(null, 'open') $$,
  $$ values ('post_reposted', 'target_member'), ('post_vote_milestone', 'target_member'), ('followed_user_posted', 'target_member') $$,
  'of a post for Hubs alone for who is in one of them'
);
select set_eq(
  $$ select * from pg_temp.audiences(null, null) where audience <> 'nobody' $$, $$ values ('user_followed', 'everybody') $$,
  'what is about a post and does not say which is for nobody'
);
select set_eq(
  $$ select type from pg_temp.audiences(null, 'no such post') where type in ('post_reposted', 'post_vote_milestone', 'followed_user_posted') and audience = 'nobody' $$,
  array['post_reposted', 'post_vote_milestone', 'followed_user_posted'], 'nor is what is about none that is there for anybody'
);
select is_empty($$ select tests.who_may('select app.audience_of(null)') $$, 'no role asks');

rollback to empty;

-- candidates_for: has one rule a type
select tests.elm();
select tests.person(name) from unnest(array['ann', 'ben']) as name;
select tests.person('tom', 3);
select tests.post('trams', 'lena');
select tests.repost('trams anew', 'maya', 'trams', 'public_hub');
select tests.follow('ben', 'maya');
select tests.invitation('invitation', 'elm', 'maya', 'tom');

create function pg_temp.who(p_type app.event_type)
returns text
language sql
as $$
  select string_agg(p.username, ', ' order by p.username)
  from unnest(app.candidates_for(
    tests.event(p_type, 'maya', 'ann', 'elm', 'trams anew', 'invitation'), '00000000-0000-0000-0000-000000000000', 10
  )) as candidate (id)
  join app.profiles as p on p.user_id = candidate.id
$$;
select tests.membership('elm', 'lena');

select set_eq(
  'select type::text, pg_temp.who(type) from unnest(enum_range(null::app.event_type)) as type',
  $$
    values
      ('user_followed', 'ann'), ('hub_invite_received', 'tom'), ('hub_join_request_created', 'amara, maya'), ('hub_join_request_approved', 'ann'),
      ('hub_join_request_rejected', 'ann'), ('hub_member_joined', 'amara, jonas, maya'), ('hub_member_removed', 'ann'),
      ('hub_role_changed', 'ann'), ('hub_post_created', 'amara, jonas, maya'), ('post_shared_to_hub', 'amara, jonas, maya'),
      ('post_reposted', 'lena'), ('post_shared_to_feed', 'maya'), ('post_commented', 'maya'), ('post_vote_milestone', 'ann'),
      ('post_voted', 'maya'), ('followed_user_posted', 'ben')
  $$,
  'each type has the recipients of docs/product.md N3'
);
select is(
  app.candidates_for(tests.event('hub_join_request_created', p_hub => 'elm'), '00000000-0000-0000-0000-000000000000', 1),
  array[least(tests.id('amara'), tests.id('maya'))], 'so many of them'
);
select is(
  app.candidates_for(tests.event('hub_join_request_created', p_hub => 'elm'), least(tests.id('amara'), tests.id('maya')), 1),
  array[greatest(tests.id('amara'), tests.id('maya'))], 'then the next'
);
select is(
  app.candidates_for(tests.event('user_followed', p_subject => 'ann'), '00000000-0000-0000-0000-000000000000', 1), tests.ids('ann'), 'or all at once'
);
select is(app.candidates_for(tests.event('user_followed', 'ann'), '00000000-0000-0000-0000-000000000000', 1), '{}', 'or none');
select is_empty($$ select tests.who_may('select app.candidates_for(null, null, null)') $$, 'no role asks');

rollback to empty;

-- emit: tells whom it is for
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select app.emit('user_followed', tests.id('maya'), tests.id('jonas'));
select results_eq($$ select tests.told('jonas') $$, array['user_followed by maya'], 'in the same transaction');
select is(count(*), 1::bigint, 'and nobody else') from app.notifications;

rollback to empty;

-- emit: writes an event
select tests.elm();
select tests.post('trams', 'jonas');
select tests.comment('hello', 'jonas', 'trams');
delete from app.events;
select tests.invitation('invitation', 'elm', 'jonas', 'lena');
select tests.join_request('request', 'elm', 'lena');
select app.emit(
  'hub_role_changed', p_actor_id => tests.id('amara'), p_subject_id => tests.id('jonas'), p_hub_id => tests.id('elm'), p_post_id => tests.id('trams'),
  p_comment_id => tests.id('hello'), p_invitation_id => tests.id('invitation'), p_join_request_id => tests.id('request')
);
select results_eq(
  'select type::text, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id, occurred_at from app.events',
  $$
    values (
      'hub_role_changed', tests.id('amara'), tests.id('jonas'), tests.id('elm'), tests.id('trams'), tests.id('hello'), tests.id('invitation'), tests.id('request'), app.now()
    )
  $$,
  'of whatever it was about'
);
delete from app.events;
select app.emit('user_followed', null);
select is(num_nonnulls(actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id), 0, 'or of nothing') from app.events;

rollback to empty;

-- fan_out: has each take its turn
select tests.person(name) from unnest(array['lena', 'maya', 'jonas']) as name;
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 2000) as n;
insert into app.follows (follower_id, followee_id) select tests.id('fan ' || n), tests.id('lena') from generate_series(1, 2000) as n;
select tests.follow('jonas', 'maya');
insert into app.events (id, type, actor_id)
select md5(who)::uuid, 'followed_user_posted', tests.id(who) from unnest(array['lena', 'maya']) as who;
insert into app.fan_outs (event_id, turn_count) values (md5('lena')::uuid, 1), (md5('maya')::uuid, 1);
create function pg_temp.waiting()
returns setof text
language sql
as $$ select p.username || ' ' || f.turn_count from app.fan_outs as f join app.events as e on e.id = f.event_id join app.profiles as p on p.user_id = e.actor_id $$;

update app.fan_outs set turn_count = 0 where event_id = md5('lena')::uuid;
select ok(app.fan_out(), 'what had the fewest turns is next');
select set_eq('select pg_temp.waiting()', array['lena 1', 'maya 1'], 'and has had one more');
select app.fan_out();
select app.fan_out();
select is_empty('select pg_temp.waiting()', 'until all are done');
insert into app.fan_outs (event_id, turn_count) values (md5('maya')::uuid, 1), (md5('lena')::uuid, 2);
select app.fan_out();
select set_eq('select pg_temp.waiting()', array['lena 2'], 'what is for few waits for nobody');
delete from app.fan_outs;
create temporary table happened as select id::uuid from unnest(array['7', '0', 'f']) as first (digit) cross join lateral repeat(digit, 32) as id;
insert into app.events (id, type) select id, 'user_followed' from happened;
-- An index gives them in their order by itself.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
insert into app.fan_outs (event_id) select id from happened;
select app.fan_out();
select set_eq('select event_id from app.fan_outs', $$ select id from happened where id::text !~ '^0' $$, 'and otherwise what happened first');
select results_eq($$ select tests.told('jonas') $$, array['followed_user_posted by maya'], 'and is told once');

rollback to empty;

-- fan_out: tells part by part
select tests.person('lena');
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 4001) as n;
insert into app.follows (follower_id, followee_id) select tests.id('fan ' || n), tests.id('lena') from generate_series(1, 4001) as n;
select tests.post('trams', 'lena');
create function pg_temp.told()
returns setof uuid
language sql
as $$ select n.recipient_id from app.notifications as n join app.events as e on e.id = n.event_id where e.post_id = tests.id('trams') $$;
create temporary table fans as select tests.id('fan ' || n) as id from generate_series(1, 4001) as n;

select is_empty('select pg_temp.told()', 'who are many are told later');
select ok(app.fan_out(), 'there are some');
select bag_eq('select pg_temp.told()', 'select id from fans order by id limit 2000', 'two thousand at a time');
select results_eq(
  'select after_user_id, turn_count from app.fan_outs', 'select id, 1 from fans order by id offset 1999 limit 1', 'up to the last of them'
);
select ok(app.fan_out(), 'there are more');
select bag_eq('select pg_temp.told()', 'select id from fans order by id limit 4000', 'then the next');
select ok(app.fan_out(), 'and the last');
select bag_eq('select pg_temp.told()', 'select id from fans', 'each once');
select is_empty('select from app.fan_outs', 'then that is done');
select ok(not app.fan_out(), 'and there is nothing to do');
select set_eq($$ select tests.who_may('select app.fan_out()') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- followers_of_actor: are those who want alerts
select tests.person(name) from unnest(array['lena', 'maya', 'jonas', 'ann', 'ben']) as name;
select tests.follow('maya', 'lena'), tests.follow('jonas', 'lena'), tests.follow('ann', 'lena'), tests.follow('ben', 'jonas'), tests.follow('lena', 'ben');
select tests.follow('ben', 'lena', app.now() + interval '1 microsecond');
update app.follows set is_muted = true where follower_id = tests.id('ann');

select set_eq(
  $$ select app.followers_of_actor(tests.event('followed_user_posted', 'lena'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('maya', 'jonas'),
  'who follows them and has not muted that; whoever follows later is not told'
);
select set_eq(
  $$ select app.followers_of_actor(tests.event('followed_user_posted', 'lena', p_occurred_at => app.now() + interval '1 second'), '00000000-0000-0000-0000-000000000000', 10) $$,
  tests.ids('maya', 'jonas', 'ben'), 'of what is published then they are'
);
select results_eq(
  $$ select app.followers_of_actor(tests.event('followed_user_posted', 'lena'), '00000000-0000-0000-0000-000000000000', 1) $$, array[least(tests.id('maya'), tests.id('jonas'))],
  'in the order of their ids'
);
select results_eq(
  $$ select app.followers_of_actor(tests.event('followed_user_posted', 'lena'), least(tests.id('maya'), tests.id('jonas')), 1) $$,
  array[greatest(tests.id('maya'), tests.id('jonas'))], 'each once'
);
select is_empty($$ select tests.who_may('select app.followers_of_actor(null, null, null)') $$, 'no role asks');

rollback to empty;

-- honours_mute: holds for what is posted in a hub
select set_eq(
  $$ select type::text from unnest(enum_range(null::app.event_type)) as type where app.honours_mute(type, tests.id('elm')) $$,
  array['hub_post_created', 'post_shared_to_hub', 'post_reposted'], 'who has muted a Hub is not told of posts in it'
);
select is_empty(
  $$ select type from unnest(enum_range(null::app.event_type)) as type where app.honours_mute(type, null) $$, 'of what is of no Hub they are'
);
select is_empty($$ select tests.who_may('select app.honours_mute(null, null)') $$, 'no role asks');

rollback to empty;

-- invited_by_phone: is whose phone it names
select tests.elm();
select tests.invitation('hers', 'elm', 'maya', 'lena');
select tests.invitation('nobodys', 'elm', 'maya', 'somebody elsewhere');
select tests.invitation('his', 'elm', 'maya', 'jonas');

select results_eq(
  $$ select app.invited_by_phone(tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'hers'), '00000000-0000-0000-0000-000000000000', 10) $$,
  tests.ids('lena'), 'whose phone an invitation names'
);
select is_empty(
  $$ select app.invited_by_phone(tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'nobodys'), '00000000-0000-0000-0000-000000000000', 10) $$,
  'where it is anybody''s'
);
select is_empty(
  $$ select app.invited_by_phone(tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'hers'), tests.id('lena'), 10) $$, 'once'
);
select is_empty(
  $$ select app.invited_by_phone(tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'his'), '00000000-0000-0000-0000-000000000000', 10) $$,
  'who is a member already need not come'
);
select tests.hub('oak', 'lena');
select isnt_empty(
  $$ select app.invited_by_phone(tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'hers'), '00000000-0000-0000-0000-000000000000', 10) $$,
  'a member of another Hub may'
);
select is_empty($$ select tests.who_may('select app.invited_by_phone(null, null, null)') $$, 'no role asks');

rollback to empty;

-- members_of_hub: are those of the time
select tests.elm();
select tests.hub('oak', 'lena');
select tests.person('ann', 4);
select tests.membership('elm', 'ann', 'member', app.now() + interval '1 microsecond');

select set_eq(
  $$ select app.members_of_hub(tests.event('hub_post_created', p_hub => 'elm'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('amara', 'maya', 'jonas'),
  'who was a member when it happened; whoever came later is not told'
);
select set_eq(
  $$ select app.members_of_hub(tests.event('hub_post_created', p_hub => 'elm', p_occurred_at => app.now() + interval '1 second'), '00000000-0000-0000-0000-000000000000', 10) $$,
  tests.ids('amara', 'maya', 'jonas', 'ann'), 'of what happens then they are'
);
select is_empty(
  $$ select app.members_of_hub(tests.event('hub_post_created', p_hub => 'elm', p_occurred_at => app.now() - interval '1 microsecond'), '00000000-0000-0000-0000-000000000000', 10) $$,
  'to the microsecond'
);

rollback to empty;

-- members_of_hub: come in the order of their ids
select tests.elm();

select results_eq(
  $$ select app.members_of_hub(tests.event('hub_post_created', p_hub => 'elm'), '00000000-0000-0000-0000-000000000000', 2) $$,
  $$ select id from unnest(tests.ids('amara', 'maya', 'jonas')) as id order by id limit 2 $$, 'the first two'
);
select results_eq(
  $$
    select app.members_of_hub(tests.event('hub_post_created', p_hub => 'elm'), (select id from unnest(tests.ids('amara', 'maya', 'jonas')) as id order by id offset 1 limit 1), 2)
  $$,
  $$ select id from unnest(tests.ids('amara', 'maya', 'jonas')) as id order by id offset 2 $$, 'then whoever is left'
);
select is_empty($$ select tests.who_may('select app.members_of_hub(null, null, null)') $$, 'no role asks');

rollback to empty;

-- members_of_hub: leave out whose original it is
select tests.elm();
select tests.post('trams', 'jonas');
select tests.repost('trams anew', 'maya', 'trams', 'public_hub');

select set_eq(
  $$ select app.members_of_hub(tests.event('post_shared_to_hub', 'maya', p_hub => 'elm', p_post => 'trams anew'), '00000000-0000-0000-0000-000000000000', 10) $$,
  tests.ids('amara', 'maya'), 'whose post was reposted is told of that as such'
);
select set_eq(
  $$ select app.members_of_hub(tests.event('post_shared_to_hub', 'maya', p_hub => 'elm', p_post => 'trams'), '00000000-0000-0000-0000-000000000000', 10) $$,
  tests.ids('amara', 'maya', 'jonas'), 'whose post is shared is a member as all are'
);

rollback to empty;

-- record_inbox_changes: notes whose inboxes have changed
select tests.elm();
select tests.person('ann', 3);
create function pg_temp.changes()
returns table (person text, audience text, scope_id uuid, unread_count integer, change_count integer)
language sql
as $$
  with news as (delete from app.inbox_counts returning *)
  select p.username, n.audience::text, n.scope_id, n.unread_count, n.change_count::integer from news as n join app.profiles as p using (user_id)
$$;
select pg_temp.changes();

select tests.membership('elm', 'lena');
select bag_eq('select * from pg_temp.changes()', $$ values ('lena', 'everybody', tests.id('lena'), 0, 1) $$, 'of who comes into a Hub');
update app.memberships set role = 'manager';
select is_empty('select * from pg_temp.changes()', 'what they are in it changes nothing');
delete from app.memberships where user_id = tests.id('lena');
select bag_eq('select * from pg_temp.changes()', $$ values ('lena', 'everybody', tests.id('lena'), 0, 1) $$, 'and who leaves one');
select tests.block('maya', 'jonas');
select bag_eq(
  'select * from pg_temp.changes()', $$ values ('maya', 'everybody', tests.id('maya'), 0, 1), ('jonas', 'everybody', tests.id('jonas'), 0, 1) $$,
  'of both between whom comes a block'
);
delete from app.blocks;
select bag_eq('select person from pg_temp.changes()', array['maya', 'jonas'], 'or goes');
update app.users set contacts_synced_at = app.now() where id = tests.id('ann');
select bag_eq('select person from pg_temp.changes()', array['ann'], 'of who becomes Hub-ready');
update app.users set contacts_synced_at = app.now() + interval '1 second', terms_version = '2', terms_accepted_at = app.now();
select is_empty('select * from pg_temp.changes()', 'but once');
update app.users set media_completed_at = null where id = tests.id('ann');
select bag_eq('select person from pg_temp.changes()', array['ann'], 'and of who is that no more');
update app.users set phone = null, phone_verified_at = null where id = tests.id('ann');
select bag_eq('select person from pg_temp.changes()', array['ann'], 'by whatever it is');

rollback to empty;

-- record_notifications: brings new ones into the outbox
select tests.person('maya'), tests.person('jonas');
select tests.notification('hers', 'maya'), tests.notification('his', 'jonas');
select bag_eq(
  'select notification_id, due_at, attempt_count from app.outbox',
  $$ values (tests.id('hers'), app.now(), 0), (tests.id('his'), app.now(), 0) $$, 'each, due at once'
);
delete from app.outbox;
update app.notifications set read_at = app.now();
delete from app.notifications;
select is_empty('select from app.outbox', 'and what is read or goes no more');

rollback to empty;

-- record_notifications: counts what is unread
select tests.elm();
select tests.person('ann');
create function pg_temp.counts()
returns table (person text, audience text, scope_id uuid, unread_count integer, change_count integer)
language sql
as $$
  with news as (delete from app.inbox_counts returning *)
  select p.username, n.audience::text, n.scope_id, n.unread_count, n.change_count::integer from news as n join app.profiles as p using (user_id)
$$;
delete from app.inbox_counts;
insert into app.events (id, type, hub_id) select tests.id('event ' || n), 'hub_role_changed', tests.id('elm') from generate_series(1, 3) as n;

insert into app.notifications (event_id, recipient_id, audience, scope_id, read_at)
select tests.id('event ' || n), tests.id(who), 'hub_member', tests.id('elm'), case when n = 3 then app.now() end
from generate_series(1, 3) as n cross join unnest(array['maya', 'jonas']) as who where who = 'maya' or n <> 2;
select bag_eq(
  'select * from pg_temp.counts()', $$ values ('maya', 'hub_member', tests.id('elm'), 2, 1), ('jonas', 'hub_member', tests.id('elm'), 1, 1) $$,
  'a row a person with each change, of so many'
);
select tests.notification('hers', 'maya');
select bag_eq('select * from pg_temp.counts()', $$ values ('maya', 'everybody', tests.id('maya'), 1, 1) $$, 'by scope');
update app.notifications set read_at = app.now() where recipient_id = tests.id('maya');
select bag_eq(
  'select person, audience, scope_id, sum(unread_count) as unread, sum(change_count) as changes from pg_temp.counts() group by 1, 2, 3',
  $$ values ('maya', 'hub_member', tests.id('elm'), -2::bigint, 2::bigint), ('maya', 'everybody', tests.id('maya'), -1, 2) $$, 'what is read is unread no more'
);
delete from app.notifications;
select bag_eq(
  'select * from pg_temp.counts()',
  $$
    values
      ('maya', 'hub_member', tests.id('elm'), 0, 1), ('maya', 'everybody', tests.id('maya'), 0, 1), ('jonas', 'hub_member', tests.id('elm'), -1, 1)
  $$,
  'nor what goes, if it was not read before'
);
insert into app.notifications (event_id, recipient_id, audience, scope_id)
values (tests.id('event 1'), tests.id('jonas'), 'everybody', tests.id('jonas'));
select pg_temp.counts();
update app.notifications set recipient_id = tests.id('ann'), scope_id = tests.id('ann');
select bag_eq(
  'select * from pg_temp.counts()', $$ values ('jonas', 'everybody', tests.id('jonas'), -1, 1), ('ann', 'everybody', tests.id('ann'), 1, 1) $$,
  'what becomes somebody else''s is theirs to read'
);
delete from app.notifications where false;
select is_empty('select * from pg_temp.counts()', 'where nothing happens nothing is noted');

rollback to empty;

-- owner_of_post: is its author
select tests.person(name) from unnest(array['lena', 'maya']) as name;
select tests.post('trams', 'lena'), tests.post('bikes', 'maya');

select results_eq(
  $$ select app.owner_of_post(tests.event('post_commented', 'maya', p_post => 'trams'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('lena'), 'whose post it is'
);
select is_empty(
  $$ select app.owner_of_post(tests.event('post_commented', 'maya', p_post => 'trams'), tests.id('lena'), 10) $$, 'once'
);
select is_empty($$ select tests.who_may('select app.owner_of_post(null, null, null)') $$, 'no role asks');

rollback to empty;

-- owner_of_source: is whose original it is
select tests.elm();
select tests.hub('oak', 'lena');
select tests.post('trams', 'lena'), tests.post('bikes', 'jonas');
select tests.repost('trams anew', 'maya', 'trams'), tests.repost('bikes anew', 'maya', 'bikes', 'private_locked_hub');

select results_eq(
  $$ select app.owner_of_source(tests.event('post_reposted', 'maya', p_post => 'trams anew'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('lena'),
  'of a repost for everybody, wherever they are'
);
select is_empty(
  $$ select app.owner_of_source(tests.event('post_reposted', 'maya', p_post => 'trams anew'), tests.id('lena'), 10) $$, 'once'
);
select is_empty(
  $$ select app.owner_of_source(tests.event('post_reposted', 'maya', p_hub => 'elm', p_post => 'trams anew'), '00000000-0000-0000-0000-000000000000', 10) $$,
  'of one for a Hub not who is no member of it'
);
select results_eq(
  $$ select app.owner_of_source(tests.event('post_reposted', 'maya', p_hub => 'elm', p_post => 'bikes anew'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('jonas'),
  'and who is'
);
select is_empty($$ select app.owner_of_source(tests.event('post_reposted', 'maya', p_post => 'trams'), '00000000-0000-0000-0000-000000000000', 10) $$, 'an original has none');
select is_empty($$ select tests.who_may('select app.owner_of_source(null, null, null)') $$, 'no role asks');

rollback to empty;

-- staff_of_hub: are its admins and managers
select tests.elm();
select tests.hub('oak', 'jonas');

select set_eq(
  $$ select app.staff_of_hub(tests.event('hub_join_request_created', 'lena', p_hub => 'elm'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('amara', 'maya'),
  'members are not told who asks to join'
);
-- An index gives them in their order by itself.
set local enable_indexscan = off;
set local enable_indexonlyscan = off;
set local enable_bitmapscan = off;
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships where user_id = least(tests.id('amara'), tests.id('maya'));
select results_eq(
  $$ select app.staff_of_hub(tests.event('hub_join_request_created', 'lena', p_hub => 'elm'), '00000000-0000-0000-0000-000000000000', 1) $$,
  array[least(tests.id('amara'), tests.id('maya'))], 'in the order of their ids'
);
select results_eq(
  $$ select app.staff_of_hub(tests.event('hub_join_request_created', 'lena', p_hub => 'elm'), least(tests.id('amara'), tests.id('maya')), 1) $$,
  array[greatest(tests.id('amara'), tests.id('maya'))], 'each once'
);
select is_empty($$ select tests.who_may('select app.staff_of_hub(null, null, null)') $$, 'no role asks');

rollback to empty;

-- subject_of: is whom it happened to
select results_eq(
  $$ select app.subject_of(tests.event('user_followed', 'maya', 'lena'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('lena'), 'who is followed, and the like'
);
select is_empty($$ select app.subject_of(tests.event('user_followed', 'maya', 'lena'), tests.id('lena'), 10) $$, 'once');
select is_empty($$ select app.subject_of(tests.event('user_followed', 'maya'), '00000000-0000-0000-0000-000000000000', 10) $$, 'or nobody');
select is_empty($$ select tests.who_may('select app.subject_of(null, null, null)') $$, 'no role asks');

rollback to empty;

-- notify: leaves out whom it is not for
select tests.elm();
select tests.person(name, 4) from unnest(array['ann', 'ben', 'eve', 'tom']) as name;
select tests.membership('elm', 'lena');
select tests.post('trams', 'eve', 'public_hub');
select tests.block('ann', 'maya'), tests.block('maya', 'ben'), tests.block('tom', 'eve'), tests.block('lena', 'amara');
select app.end_user(tests.id('amara'));
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships where user_id = tests.id('jonas');
select tests.hub('oak', 'lena');
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships where hub_id = tests.id('oak') on conflict do nothing;
insert into app.events select (tests.event('post_shared_to_hub', 'maya', p_hub => 'elm', p_post => 'trams')).*;
insert into app.events select (tests.event('hub_member_joined', 'maya', 'maya', 'elm')).*;

select app.notify(e, tests.ids('amara', 'maya', 'jonas', 'lena', 'ann', 'ben', 'eve', 'tom', 'no such person')) from app.events as e where e.type = 'post_shared_to_hub';
select set_eq(
  $$ select tests.recipients('post_shared_to_hub') $$, array['lena', 'eve'],
  'neither who did it, nor whom a block parts from them or from whose post it is, nor who has muted the Hub, nor whose account has ended'
);
select app.notify(e, tests.ids('maya', 'jonas', 'lena', 'tom')) from app.events as e where e.type = 'hub_member_joined';
select set_eq($$ select tests.recipients('hub_member_joined') $$, array['jonas', 'lena', 'tom'], 'a mute keeps back posts alone');
select is_empty($$ select tests.who_may('select app.notify(null, null)') $$, 'no role tells anybody anything');

rollback to empty;

-- notify: notes what decides who sees
select tests.elm();
select tests.post('hers', 'lena', 'public_hub'), tests.post('his', 'jonas', 'public_hub'), tests.post('of the other', 'maya', 'public_hub');
create function pg_temp.told(p_event app.events)
returns setof app.notifications
language sql
as $$
  delete from app.notifications;
  insert into app.events select (p_event).*;
  select app.notify(p_event, tests.ids('jonas'));
  select * from app.notifications
$$;

select results_eq(
  $$ select recipient_id, audience::text, scope_id, actor_id, author_id, created_at, read_at from pg_temp.told(tests.event('post_shared_to_hub', 'maya', null, 'elm', 'hers')) $$,
  $$ values (tests.id('jonas'), 'hub_member', tests.id('elm'), tests.id('maya'), tests.id('lena'), app.now(), null::timestamptz) $$,
  'the Hub, who acted, and whose post it is'
);
select results_eq(
  $$ select audience::text, scope_id, actor_id, author_id from pg_temp.told(tests.event('post_commented', 'maya', null, null, 'his')) $$,
  $$ values ('everybody', tests.id('jonas'), tests.id('maya'), null::uuid) $$, 'or the recipient, whose own it is'
);
select results_eq(
  $$ select audience::text, scope_id, actor_id, author_id from pg_temp.told(tests.event('followed_user_posted', 'maya', null, null, 'of the other')) $$,
  $$ values ('everybody', tests.id('jonas'), tests.id('maya'), null::uuid) $$, 'or the actor''s'
);
select results_eq(
  $$ select audience::text, scope_id, actor_id, author_id from pg_temp.told(tests.event('hub_member_removed', 'maya', 'jonas', 'elm')) $$,
  $$ values ('hub_ready', tests.id('jonas'), tests.id('maya'), null::uuid) $$, 'or nobody''s'
);
select results_eq(
  $$
    select audience::text, scope_id, actor_id, author_id
    from pg_temp.told(jsonb_populate_record(tests.event('post_vote_milestone', null, 'jonas', null, 'hers'), '{"milestone_total": 100, "milestone_count": 100}'))
  $$,
  $$ values ('everybody', tests.id('jonas'), null::uuid, tests.id('lena')) $$, 'where nobody acted, whose post it is all the same'
);

rollback to empty;

-- notify: tells each once
select tests.elm();
insert into app.events select (tests.event('hub_member_joined', 'lena', 'lena', 'elm')).*;
insert into app.events select (tests.event('hub_member_removed', 'amara', 'lena', 'elm')).*;

select app.notify(e, tests.ids('maya', 'jonas', 'maya')) from app.events as e where e.type = 'hub_member_joined';
update app.notifications set read_at = app.now() where recipient_id = tests.id('maya');
select app.notify(e, tests.ids('maya', 'amara')) from app.events as e where e.type = 'hub_member_joined';
select bag_eq('select tests.recipients()', array['maya', 'jonas', 'amara'], 'who was told is not told again');
select isnt_empty($$ select from app.notifications where recipient_id = tests.id('maya') and read_at is not null $$, 'nor is what they have read unread');
select app.notify(e, tests.ids('maya')) from app.events as e where e.type = 'hub_member_removed';
select bag_eq('select tests.recipients()', array['maya', 'maya', 'jonas', 'amara'], 'but of something else they are');

select * from finish();
rollback;
