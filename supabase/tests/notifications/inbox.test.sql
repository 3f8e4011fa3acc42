begin;
select plan(108);
savepoint empty;

-- fold_inbox_counts sums up 20,000 rows per run into one row per scope.
insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
select tests.id('maya'), 'everybody', tests.id('maya'), 1, 2 from generate_series(1, 20001);

select ok(app.fold_inbox_counts(), 'fold_inbox_counts reports more work for 20,001 rows');
select bag_eq(
  'select unread_count, change_count, is_folded from app.inbox_counts', 'values (20000, 40000::bigint, true), (1, 2, false)',
  'fold_inbox_counts folds 20,000 rows at a time'
);
select ok(not app.fold_inbox_counts(), 'fold_inbox_counts reports no more work after the last row');
select results_eq(
  'select unread_count, change_count, is_folded from app.inbox_counts', 'values (20001, 40002::bigint, true)',
  'fold_inbox_counts adds the last row to the folded one'
);
insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
select tests.id('maya'), 'everybody', tests.id('maya'), 1, 2 from generate_series(1, 20000);
select ok(app.fold_inbox_counts(), 'fold_inbox_counts reports more work after a full batch');

delete from app.inbox_counts;
insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count, is_folded)
values
  (tests.id('maya'), 'hub_member', tests.id('elm'), 3, 10, true),
  (tests.id('maya'), 'hub_member', tests.id('elm'), 2, 1, false), (tests.id('maya'), 'hub_member', tests.id('elm'), -1, 3, false),
  (tests.id('maya'), 'hub_ready', tests.id('maya'), 1, 1, false), (tests.id('maya'), 'everybody', tests.id('maya'), 5, 7, false),
  (tests.id('maya'), 'hub_member', tests.id('oak'), 4, 1, false),
  (tests.id('jonas'), 'hub_member', tests.id('elm'), -2, 2, false),
  (tests.id('jonas'), 'everybody', tests.id('jonas'), 8, 9, true);

set local session authorization opine_worker;
select ok(not app.fold_inbox_counts(), 'fold_inbox_counts reports no more work to the worker for six rows');
reset session authorization;
select bag_eq(
  'select user_id, audience::text, scope_id, unread_count, change_count, is_folded from app.inbox_counts',
  $$
    values
      (tests.id('maya'), 'hub_member', tests.id('elm'), 4, 14::bigint, true),
      (tests.id('maya'), 'hub_ready', tests.id('maya'), 1, 1, true),
      (tests.id('maya'), 'everybody', tests.id('maya'), 5, 7, true),
      (tests.id('maya'), 'hub_member', tests.id('oak'), 4, 1, true),
      (tests.id('jonas'), 'hub_member', tests.id('elm'), -2, 2, true),
      (tests.id('jonas'), 'everybody', tests.id('jonas'), 8, 9, true)
  $$,
  'fold_inbox_counts makes one row per user, audience and scope'
);
select ok(not app.fold_inbox_counts(), 'fold_inbox_counts reports no more work for folded rows');
select is(count(*), 6::bigint, 'fold_inbox_counts leaves folded rows alone') from app.inbox_counts;

rollback to empty;

-- inbox_entries returns the newest visible notifications of all scopes.
select tests.elm();
select tests.notification(
  'n' || n, 'jonas', p_actor => 'maya', p_created_at => app.now() - n * interval '1 minute'
)
from generate_series(1, 5, 2) as n;
select tests.notification(
  'n' || n, 'jonas', 'hub_role_changed', 'amara', 'elm', p_created_at => app.now() - n * interval '1 minute'
)
from generate_series(2, 6, 2) as n;
select tests.notification('hidden', 'jonas', 'hub_role_changed', 'amara', 'oak') from tests.hub('oak', 'lena');
select
  tests.notification('malformed', 'jonas', 'hub_post_created', 'amara'),
  tests.notification('to maya', 'maya', p_actor => 'jonas');
select tests.notification('to maya in elm', 'maya', 'hub_role_changed', 'amara', 'elm');
update app.notifications set read_at = app.now() where id = any (tests.ids('n1', 'n4'));
create function pg_temp.entries(p_unread_only boolean, p_after text, p_limit integer)
returns table (place bigint, at timestamptz, id uuid)
language plpgsql
as $$
declare
  v_from app.list_entry := (
    select (n.created_at, n.id)::app.list_entry from app.notifications as n where n.id = tests.id(p_after)
  );
begin
  perform tests.authenticate_as('jonas');
  return query
  select e.place, e.at, e.id
  from unnest(app.inbox_entries(
    p_unread_only, coalesce(v_from, ('infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::app.list_entry), p_limit
  )) with ordinality as e (at, id, place);
  perform set_config('role', 'none', true);
end
$$;

select results_eq(
  $$ select id, at from pg_temp.entries(false, null, 10) order by place $$,
  $$ select tests.id('n' || n), app.now() - n * interval '1 minute' from generate_series(1, 6) as n $$,
  'inbox_entries merges the visible notifications of all scopes, newest first'
);
select results_eq(
  format('select id from pg_temp.entries(%L, %L, %s) order by place', unread_only, after, max_count), expected, title
)
from (
  values
    (false, null, 3, tests.ids('n1', 'n2', 'n3'), 'inbox_entries returns at most as many notifications as the limit'),
    (false, 'n3', 2, tests.ids('n4', 'n5'), 'inbox_entries returns the notifications behind the given entry'),
    (true, null, 3, tests.ids('n2', 'n3', 'n5'), 'inbox_entries returns the unread notifications alone on request')
) as c (unread_only, after, max_count, expected, title);
select tests.block('maya', 'jonas');
select results_eq(
  $$ select id from pg_temp.entries(false, null, 2) order by place $$, tests.ids('n2', 'n4'),
  'inbox_entries omits notifications across a block'
);
delete from app.blocks;
update app.notifications set created_at = app.now();
select bag_eq(
  $$ select id from pg_temp.entries(false, null, 1) $$,
  $$ select id from unnest(tests.ids('n1', 'n2', 'n3', 'n4', 'n5', 'n6')) as id order by id desc limit 1 $$,
  'inbox_entries orders notifications of the same time by id'
);
select results_eq(
  $$
    select id from pg_temp.entries(
      false,
      (select name from unnest(array['n1', 'n2', 'n3', 'n4', 'n5', 'n6']) as name order by tests.id(name) desc offset 2 limit 1),
      10
    ) order by place
  $$,
  $$ select id from unnest(tests.ids('n1', 'n2', 'n3', 'n4', 'n5', 'n6')) as id order by id desc offset 3 $$,
  'inbox_entries pages through notifications of the same time by id'
);
delete from app.memberships where user_id = tests.id('jonas');
select results_eq(
  $$ select id from pg_temp.entries(false, null, 2) order by place $$,
  $$ select id from unnest(tests.ids('n1', 'n3', 'n5')) as id order by id desc limit 2 $$,
  'inbox_entries orders notifications of the same time and scope by id'
);

rollback to empty;

-- inbox_items describes notifications of the caller.
select tests.elm();
select tests.asset('portrait', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('portrait') where user_id = tests.id('maya');
select tests.post('trams', 'lena');
select tests.repost('trams repost', 'maya', 'trams', 'public_hub');
select tests.comment('hello', 'maya', 'trams');
select tests.invitation('invitation', 'elm', 'maya', 'lena');
select tests.join_request('request', 'elm', 'lena');
delete from app.events;
insert into app.events (id, type, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id)
values (
  tests.id('event with every id'), 'post_reposted', tests.id('maya'), tests.id('lena'), tests.id('elm'), tests.id('trams repost'),
  tests.id('hello'), tests.id('invitation'), tests.id('request')
);
insert into app.notifications (id, event_id, recipient_id, audience, scope_id, created_at, read_at)
values (
  tests.id('to jonas'), tests.id('event with every id'), tests.id('jonas'), 'hub_member', tests.id('elm'),
  app.now() - interval '1 hour', app.now()
);
create function pg_temp.items(p_reader text, variadic p_names text[])
returns jsonb
language plpgsql
as $$
declare
  v_items jsonb;
begin
  perform tests.authenticate_as(p_reader);
  v_items := app.inbox_items(array(
    select (now(), tests.id(name))::app.list_entry from unnest(p_names) with ordinality as named (name, place) order by place
  ));
  perform set_config('role', 'none', true);
  return v_items;
end
$$;

select is(
  pg_temp.items('jonas', 'to jonas'),
  jsonb_build_array(jsonb_build_object(
    'id', tests.id('to jonas'), 'type', 'post_reposted',
    'actor', jsonb_build_object(
      'id', tests.id('maya'), 'username', 'maya', 'profilePhotoUrl', app.photo_url(tests.id('portrait')), 'isAnonymous', false
    ),
    'postId', tests.id('trams repost'), 'sourcePostId', tests.id('trams'), 'commentId', tests.id('hello'),
    'hub', jsonb_build_object('id', tests.id('elm'), 'name', 'elm'),
    'invitationId', tests.id('invitation'), 'joinRequestId', tests.id('request'),
    'milestoneTotal', null, 'milestoneCount', null, 'createdAt', app.iso(app.now() - interval '1 hour'), 'read', true
  )),
  'inbox_items returns every field of a read notification'
);
insert into app.events (id, type, actor_id, post_id, milestone_total, milestone_count)
values (tests.id('milestone'), 'post_vote_milestone', tests.id('maya'), tests.id('trams'), 501, 500);
insert into app.notifications (id, event_id, recipient_id, audience, scope_id)
values (tests.id('of votes'), tests.id('milestone'), tests.id('jonas'), 'everybody', tests.id('jonas'));
select is(
  pg_temp.items('jonas', 'of votes') -> 0,
  jsonb_build_object(
    'id', tests.id('of votes'), 'type', 'post_vote_milestone',
    'actor', '{"id": "", "username": "", "profilePhotoUrl": null, "isAnonymous": true}'::jsonb, 'postId', tests.id('trams'),
    'sourcePostId', null, 'commentId', null, 'hub', null, 'invitationId', null, 'joinRequestId', null,
    'milestoneTotal', 501, 'milestoneCount', 500, 'createdAt', app.iso(app.now()), 'read', false
  ),
  'inbox_items shows an unread milestone with an anonymous actor'
);
select is(jsonb_path_query_array(pg_temp.items('jonas', first, second), '$[*].id'), to_jsonb(tests.ids(first, second)), title)
from (
  values
    ('of votes', 'to jonas', 'inbox_items keeps the order of the given entries'),
    ('to jonas', 'of votes', 'inbox_items keeps the reverse order of the given entries')
) as c (first, second, title);
select tests.notification('of a follow', 'jonas', p_actor => 'maya');
select is(
  pg_temp.items('jonas', 'of a follow') #>> '{0,type}', 'user_followed', 'inbox_items returns a notification without a post'
);
select is(pg_temp.items('lena', 'to jonas'), '[]', 'inbox_items omits a notification of another user');

-- named_actor keeps votes anonymous.
select set_eq(
  $$
    select type::text from unnest(enum_range(null::app.event_type)) as type where app.named_actor(type, tests.id('maya')) is null
  $$,
  array['post_vote_milestone', 'post_voted'], 'named_actor returns null for the two types about votes'
);
select set_eq(
  $$
    select distinct app.named_actor(type, tests.id('maya')) from unnest(enum_range(null::app.event_type)) as type
    where type not in ('post_vote_milestone', 'post_voted')
  $$,
  tests.ids('maya'), 'named_actor returns the actor for every other type'
);

rollback to empty;

-- inbox_scopes follows the level and the memberships of a user.
select
  tests.person('lena', 1), tests.person('ben', 2), tests.person('ann', 3), tests.person('maya', 4), tests.person('jonas', 4),
  tests.person('tom', 4);
select tests.hub('elm', 'maya'), tests.hub('oak', 'maya');
select tests.membership('elm', 'ann'), tests.membership('oak', 'jonas');
select app.end_user(tests.id('tom'));
create function pg_temp.scopes(p_name text)
returns table (audience text, scope_id uuid)
language sql
as $$ select audience::text, scope_id from app.inbox_scopes where user_id = tests.id(p_name) $$;

select bag_eq(format('select * from pg_temp.scopes(%L)', name), format($$ values ('everybody', tests.id(%L)) $$, name), title)
from (
  values
    ('lena', 'an anonymous user has the scope everybody alone'), ('ben', 'a registered user has the scope everybody alone'),
    ('ann', 'a member who is not Hub-ready has the scope everybody alone')
) as c (name, title);
select bag_eq(
  $$ select * from pg_temp.scopes('maya') $$,
  $$
    values
      ('everybody', tests.id('maya')), ('hub_ready', tests.id('maya')), ('target_member', tests.id('maya')),
      ('hub_member', tests.id('elm')), ('hub_member', tests.id('oak'))
  $$,
  'a Hub-ready user has the scope of each of two Hubs'
);
select bag_eq(
  $$ select * from pg_temp.scopes('jonas') $$,
  $$
    values
      ('everybody', tests.id('jonas')), ('hub_ready', tests.id('jonas')), ('target_member', tests.id('jonas')),
      ('hub_member', tests.id('oak'))
  $$,
  'a Hub-ready non-member has no scope of the Hub'
);
select is_empty($$ select * from pg_temp.scopes('tom') $$, 'an ended account has no scope');

rollback to empty;

-- inbox_state_of counts unread notifications that the recipient may see.
select tests.elm();
select tests.post('private', 'amara', 'private_locked_hub');
select tests.placement('private', 'elm');
delete from app.events;
select is(tests.unread_count('jonas'), 0, 'inbox_state_of counts 0 for a user without notifications');
select
  tests.notification('for everybody', 'jonas', p_actor => 'maya'),
  tests.notification('for hub_ready', 'jonas', 'hub_member_removed', 'amara', 'elm');
select
  tests.notification('for members', 'jonas', 'hub_role_changed', 'amara', 'elm'),
  tests.notification('for members too', 'jonas', 'hub_post_created', 'amara', 'elm');
select tests.notification('for target members', 'jonas', 'post_reposted', 'amara', p_post => 'private');
select tests.notification('for nobody', 'jonas', 'hub_post_created', 'amara');
select tests.notification('to maya', 'maya', 'hub_role_changed', 'amara', 'elm');

select is(tests.unread_count('jonas'), 5, 'inbox_state_of counts the visible notifications of a member');
update app.notifications set read_at = app.now() where id = tests.id('for members');
select is(tests.unread_count('jonas'), 4, 'inbox_state_of omits a read notification');
delete from app.memberships where user_id = tests.id('jonas');
select is(tests.unread_count('jonas'), 2, 'inbox_state_of omits notifications of a Hub after leaving');
select tests.membership('elm', 'jonas');
select is(tests.unread_count('jonas'), 4, 'inbox_state_of counts notifications of a Hub again after returning');
select is(tests.unread_count('maya'), 1, 'inbox_state_of counts the notifications of each user separately');

rollback to empty;

-- inbox_state_of returns a version that grows with every change of the inbox.
select tests.elm();
select tests.post('trams', 'amara', 'public_hub');
create temporary table versions (place integer generated always as identity, step text, version integer);
create function pg_temp.record(p_step text)
returns void
language sql
as $$ insert into versions (step, version) values (p_step, tests.inbox_version('jonas')) $$;

select pg_temp.record('start');
select tests.notification('follow', 'jonas', p_actor => 'lena');
select pg_temp.record('notified');
update app.notifications set read_at = app.now() where id = tests.id('follow');
select pg_temp.record('read');
select
  tests.notification('of elm', 'jonas', 'hub_role_changed', 'amara', 'elm'),
  tests.notification('also of elm', 'jonas', 'hub_role_changed', 'amara', 'elm');
select pg_temp.record('notified of elm');
select tests.block('lena', 'jonas');
select pg_temp.record('blocked by lena');
delete from app.blocks;
select pg_temp.record('unblocked');
select tests.block('jonas', 'lena');
select pg_temp.record('blocked lena');
delete from app.memberships where user_id = tests.id('jonas');
select pg_temp.record('left elm');
select tests.membership('elm', 'jonas');
select pg_temp.record('joined elm');
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select pg_temp.record('no longer Hub-ready');
delete from app.notifications where id = tests.id('follow');
select pg_temp.record('notification deleted');
select app.fold_inbox_counts();
select pg_temp.record('counts folded');

select results_eq(
  'select step from versions as v where v.version <= (select max(o.version) from versions as o where o.place < v.place)',
  array['counts folded'], 'the inbox version grows with every change but a fold'
);
select is(
  max(version), (select version from versions order by place desc limit 1), 'the inbox version stays the same after a fold'
)
from versions;
select tests.notification('to lena', 'lena', p_actor => 'jonas');
select is(
  tests.inbox_version('jonas'), (select max(version) from versions),
  'the inbox version stays the same for a notification of another user'
);
select is(app.inbox_state_of(tests.id('nobody'))::text, '(0,0)', 'inbox_state_of starts at count 0 and version 0');

rollback to empty;

-- inbox_state_of subtracts withheld notifications.
select tests.elm();
select tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('of lena', 'jonas', p_actor => 'lena');
select
  tests.notification('read, of maya', 'jonas', p_actor => 'maya'),
  tests.notification('of a post of maya', 'jonas', p_actor => 'lena', p_author => 'maya');
select
  tests.notification('of maya in elm', 'jonas', 'hub_role_changed', 'maya', 'elm'),
  tests.notification('to lena', 'lena', p_actor => 'maya');
update app.notifications set read_at = app.now() where id = tests.id('read, of maya');

select is(tests.unread_count('jonas'), 4, 'inbox_state_of counts all four unread notifications without a block');
select tests.block('maya', 'jonas');
select is(tests.unread_count('jonas'), 1, 'inbox_state_of omits unread notifications across a block');
delete from app.memberships where user_id = tests.id('jonas');
select is(tests.unread_count('jonas'), 1, 'inbox_state_of subtracts a notification once if both block and Hub hide the row');
select is(tests.unread_count('lena'), 1, 'inbox_state_of subtracts nothing from a user outside the blocked pair');
delete from app.blocks;
select tests.membership('elm', 'jonas');
select is(tests.unread_count('jonas'), 4, 'inbox_state_of counts all notifications again after an unblock and a return');

rollback to empty;

-- judged_notifications withholds notifications across a block.
select tests.person(name, 4) from unnest(array['maya', 'jonas', 'lena', 'ann', 'ben']) as name;
select tests.notification('of jonas', 'maya', p_actor => 'jonas'), tests.notification('of lena', 'maya', p_actor => 'lena');
select
  tests.notification('of ann', 'maya', p_actor => 'ann'),
  tests.notification('of a post of jonas', 'maya', p_actor => 'ann', p_author => 'jonas');
select tests.notification('of a post of lena', 'maya', p_actor => 'ann', p_author => 'lena');
select tests.notification('of nobody', 'maya'), tests.notification('of all', 'maya', p_actor => 'jonas', p_author => 'lena');
select tests.notification('to ben', 'ben', p_actor => 'jonas');
create function pg_temp.withheld()
returns setof uuid
language sql
as $$ select n.id from app.judged_notifications as n where n.is_withheld $$;

select is_empty('select pg_temp.withheld()', 'judged_notifications withholds nothing without a block');
select tests.block('maya', 'jonas');
select bag_eq(
  'select pg_temp.withheld()', tests.ids('of jonas', 'of a post of jonas', 'of all'),
  'judged_notifications withholds activity and posts of a user whom the recipient blocked'
);
select tests.block('lena', 'maya');
select bag_eq(
  'select pg_temp.withheld()', tests.ids('of jonas', 'of a post of jonas', 'of all', 'of lena', 'of a post of lena'),
  'judged_notifications withholds activity and posts of a user who blocked the recipient'
);
update app.notifications set read_at = app.now();
select bag_eq(
  'select pg_temp.withheld()', tests.ids('of jonas', 'of a post of jonas', 'of all', 'of lena', 'of a post of lena'),
  'judged_notifications withholds read notifications across a block'
);
delete from app.blocks;
select is_empty('select pg_temp.withheld()', 'judged_notifications withholds nothing after an unblock');

rollback to empty;

-- judged_notifications withholds private posts from non-members.
select tests.elm();
select tests.hub('oak', 'amara');
select tests.membership('oak', 'jonas');
select tests.post('trams', 'amara', 'private_locked_hub'), tests.post('bikes', 'amara', 'private_locked_hub');
select tests.placement('trams', 'elm'), tests.placement('trams', 'oak'), tests.placement('bikes', 'oak');
delete from app.events;
select tests.notification('of elm and oak', 'jonas', 'post_reposted', 'amara', p_post => 'trams');
select tests.notification('of oak', 'jonas', 'post_reposted', 'amara', p_post => 'bikes');
select tests.notification('to maya', 'maya', 'post_reposted', 'amara', p_post => 'trams');
select tests.notification('of a follow', 'jonas', p_actor => 'amara');
create function pg_temp.withheld()
returns setof uuid
language sql
as $$ select n.id from app.judged_notifications as n where n.is_withheld $$;

select is_empty('select pg_temp.withheld()', 'judged_notifications shows a private post to a member of one of the Hubs');
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('oak');
select bag_eq(
  'select pg_temp.withheld()', tests.ids('of oak'),
  'judged_notifications withholds a private post after leaving the only Hub with the post'
);
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq(
  'select pg_temp.withheld()', tests.ids('of oak', 'of elm and oak'),
  'judged_notifications withholds a private post from a non-member alone'
);
select tests.membership('oak', 'jonas');
select is_empty('select pg_temp.withheld()', 'judged_notifications shows a private post again after returning to a Hub');
delete from app.placements;
select bag_eq(
  'select pg_temp.withheld()', tests.ids('of oak', 'of elm and oak', 'to maya'),
  'judged_notifications withholds a private post without a Hub from everybody'
);

rollback to empty;

-- judged_notifications shows milestones of private posts to author and members (docs/product.md N9).
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'jonas', 'private_locked_hub');
select tests.placement('trams', 'elm');
select tests.placement('trams', 'oak', app.now(), 'shared', 'maya');
delete from app.events;
select tests.notification('to the author', 'jonas', 'post_vote_milestone', p_post => 'trams');
select tests.notification('to a voter', 'lena', 'post_vote_milestone', p_post => 'trams', p_author => 'jonas');

select is_empty(
  $$ select from app.judged_notifications as n where n.is_withheld and n.id = tests.id('to a voter') $$,
  'a member of a Hub with the shared post sees the milestone of the post'
);
delete from app.memberships where user_id = tests.id('jonas');
select is_empty(
  $$ select from app.judged_notifications as n where n.is_withheld and n.id = tests.id('to the author') $$,
  'an author who left the Hub sees the milestone of the post'
);

rollback to empty;

-- list_notifications returns the inbox in pages.
select tests.elm();
select tests.notification(
  'n' || n, 'jonas', p_actor => 'maya', p_created_at => app.now() - n * interval '1 minute'
)
from generate_series(1, 101) as n;
update app.notifications set read_at = app.now() where id = any (tests.ids('n2', 'n3'));
create temporary table pages as
select tests.inbox('jonas', '{"limit": 2}') as first, tests.inbox('jonas', '{"limit": 2, "unreadOnly": true}') as unread;

select set_eq(
  'select jsonb_object_keys(first) from pages', array['items', 'nextCursor', 'unreadCount', 'inboxVersion'],
  'list_notifications returns items, nextCursor, unreadCount and inboxVersion'
);
select results_eq(
  'select unnest(tests.item_ids(first)) from pages', tests.ids('n1', 'n2'),
  'list_notifications returns the newest notifications first'
);
select results_eq(
  $$
    select unnest(tests.item_ids(tests.inbox('jonas', jsonb_build_object('limit', 2, 'cursor', first -> 'nextCursor'))))
    from pages
  $$,
  tests.ids('n3', 'n4'), 'list_notifications returns the next page behind the cursor'
);
select results_eq(
  'select unnest(tests.item_ids(unread)) from pages', tests.ids('n1', 'n4'),
  'list_notifications returns unread notifications alone on request'
);
select is(
  (first ->> 'unreadCount')::integer, 99, 'list_notifications counts all unread notifications, not those of the page'
)
from pages;
select is(
  (unread ->> 'unreadCount')::integer, 99, 'list_notifications counts all unread notifications in an unread page'
)
from pages;
select is(
  (first ->> 'inboxVersion')::integer, tests.inbox_version('jonas'), 'list_notifications returns the version of the inbox'
)
from pages;
select is(jsonb_array_length(tests.inbox('jonas', args) -> 'items'), expected, title)
from (
  values
    ('{}'::jsonb, 30, 'list_notifications returns 30 notifications by default'),
    ('{"limit": 100}', 100, 'list_notifications returns 100 notifications at most')
) as c (args, expected, title);
select isnt(
  tests.inbox('jonas', '{"limit": 100}') ->> 'nextCursor', null,
  'list_notifications returns a cursor while more notifications are left'
);
delete from app.notifications where id = tests.id('n101');
select is(tests.inbox('jonas', '{"limit": 100}') ->> 'nextCursor', null, 'list_notifications returns no cursor on the last page');
select is(
  tests.inbox('lena'),
  jsonb_build_object('items', '[]'::jsonb, 'nextCursor', null, 'unreadCount', 0, 'inboxVersion', tests.inbox_version('lena')),
  'list_notifications returns no notification of another user'
);

rollback to empty;

-- list_notifications requires level 1 and a live session.
select tests.person('lena', 1);
select tests.notification('to lena', 'lena');
select results_eq(
  $$ select unnest(tests.item_ids(tests.inbox('lena'))) $$, tests.ids('to lena'),
  'list_notifications returns the inbox of an anonymous user'
);
select tests.authenticate_as('lena');
select throws_ok(format('select api.list_notifications(%L)', args), 'PT422', 'VALIDATION_FAILED', title)
from (
  values
    ('{"limit": 101}', 'list_notifications refuses a limit above 100'),
    ('{"cursor": "here"}', 'list_notifications refuses a foreign cursor')
) as c (args, title);
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok(
  $$ select api.list_notifications('{}') $$, 'PT401', 'UNAUTHORIZED', 'list_notifications refuses an ended session'
);
reset role;

rollback to empty;

-- mark_all_read marks the visible notifications of the caller.
select tests.elm();
select tests.hub('oak', 'lena');
select
  tests.notification('visible', 'jonas', p_actor => 'lena'),
  tests.notification('in elm', 'jonas', 'hub_role_changed', 'amara', 'elm');
select
  tests.notification('in oak', 'jonas', 'hub_role_changed', 'amara', 'oak'),
  tests.notification('of maya', 'jonas', p_actor => 'maya');
select tests.notification('read before', 'jonas', p_actor => 'lena'), tests.notification('to lena', 'lena', p_actor => 'jonas');
select tests.notification('to maya in elm', 'maya', 'hub_role_changed', 'amara', 'elm');
select tests.block('maya', 'jonas');
update app.notifications set read_at = app.now() - interval '1 day' where id = tests.id('read before');

select is(tests.mark_all_read('jonas'), 2::bigint, 'mark_all_read returns the number of notifications that were unread');
select bag_eq(
  'select id, read_at from app.notifications where read_at is not null',
  $$
    values (tests.id('visible'), app.now()), (tests.id('in elm'), app.now()),
      (tests.id('read before'), app.now() - interval '1 day')
  $$,
  'mark_all_read marks visible notifications of the caller, and no hidden or foreign ones'
);
select is(tests.mark_all_read('jonas'), 0::bigint, 'mark_all_read returns 0 if everything is read');
select tests.membership('oak', 'jonas');
select is(tests.unread_count('jonas'), 1, 'mark_all_read leaves a hidden notification unread until the recipient joins the Hub');

rollback to empty;

-- mark_notifications_read marks one notification or all.
select tests.elm();
select
  tests.notification('one', 'jonas', p_actor => 'lena'), tests.notification('two', 'jonas', p_actor => 'lena'),
  tests.notification('three', 'jonas', p_actor => 'lena');
select tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('to lena', 'lena', p_actor => 'jonas');
select tests.block('maya', 'jonas');
create function pg_temp.mark(p_name text)
returns jsonb
language sql
return api.mark_notifications_read(jsonb_build_object('notificationId', tests.id(p_name)));

select tests.authenticate_as('jonas');
select is(
  pg_temp.mark('one'), '{"updated": 1, "unreadCount": 2}', 'mark_notifications_read marks one notification and counts the rest'
);
select is(
  pg_temp.mark('one'), '{"updated": 0, "unreadCount": 2}', 'mark_notifications_read updates nothing for a read notification'
);
select is(
  pg_temp.mark('of maya'), '{"updated": 0, "unreadCount": 2}', 'mark_notifications_read updates nothing for a hidden notification'
);
select throws_ok(format('select pg_temp.mark(%L)', name), 'PT404', 'NOTIFICATION_NOT_FOUND', title)
from (
  values
    ('to lena', 'mark_notifications_read refuses a notification of another user'),
    ('unknown', 'mark_notifications_read refuses an unknown notification')
) as c (name, title);
select is(
  tests.error_of($$ select api.mark_notifications_read('{}') $$),
  '{
    "state": "PT422", "code": "VALIDATION_FAILED",
    "details": {"issues": [{"path": [], "code": "invalid_union", "message": "Either notificationId or all is to be given."}]}
  }',
  'mark_notifications_read refuses a call with no argument'
);
select throws_ok(
  $$ select api.mark_notifications_read('{"all": false}') $$, 'PT422', 'VALIDATION_FAILED',
  'mark_notifications_read refuses a call with all: false'
);
select is(
  api.mark_notifications_read('{"all": true}'), '{"updated": 2, "unreadCount": 0}',
  'mark_notifications_read marks all visible notifications'
);
reset role;
select tests.person('tom', 1);
select tests.authenticate_as('tom');
select is(
  api.mark_notifications_read('{"all": true}'), '{"updated": 0, "unreadCount": 0}',
  'mark_notifications_read serves an anonymous user'
);
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok(
  $$ select api.mark_notifications_read('{"all": true}') $$, 'PT401', 'UNAUTHORIZED',
  'mark_notifications_read refuses an ended session'
);
reset role;

rollback to empty;

-- mark_read marks one visible notification of the caller.
select tests.elm();
select tests.notification('one', 'jonas', p_actor => 'lena'), tests.notification('other', 'jonas', p_actor => 'lena');
select tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('to lena', 'lena', p_actor => 'jonas');
select tests.block('maya', 'jonas');

select tests.authenticate_as('jonas');
select is(app.mark_read(tests.id('one')), 1::bigint, 'mark_read marks an unread notification');
select is(app.mark_read(tests.id(name)), 0::bigint, title)
from (
  values
    ('one', 'mark_read marks no notification that is already read'), ('of maya', 'mark_read marks no hidden notification'),
    ('to lena', 'mark_read marks no notification of another user')
) as c (name, title);
reset role;
select bag_eq(
  'select id, read_at from app.notifications where read_at is not null', $$ values (tests.id('one'), app.now()) $$,
  'mark_read changes the given notification alone'
);
select is(tests.mark_all_read('jonas'), 1::bigint, 'mark_read marks all visible notifications for null');

rollback to empty;

-- my_inbox_state and require_notification read the notifications of the caller.
select tests.person('maya'), tests.person('jonas');
select
  tests.notification('to maya', 'maya', p_actor => 'jonas'), tests.notification('also to maya', 'maya'),
  tests.notification('to jonas', 'jonas');
select tests.authenticate_as('maya');
select is(app.my_inbox_state()::text, '(2,2)', 'my_inbox_state returns unread count and version of the caller');
reset role;
select tests.notification('malformed', 'maya', 'hub_post_created');
select tests.authenticate_as('maya');
select lives_ok(
  $$ select app.require_notification(tests.id('to maya')) $$, 'require_notification accepts a notification of the caller'
);
select lives_ok(
  $$ select app.require_notification(tests.id('malformed')) $$, 'require_notification accepts a hidden notification of the caller'
);
select throws_ok(
  format('select app.require_notification(tests.id(%L))', name), 'PT404', 'NOTIFICATION_NOT_FOUND', title
)
from (
  values
    ('to jonas', 'require_notification refuses a notification of another user'),
    ('unknown', 'require_notification refuses an unknown notification')
) as c (name, title);
reset role;

rollback to empty;

-- visible_notifications shows notifications of the scopes of the recipient.
select tests.elm();
select tests.post('private', 'amara', 'private_locked_hub');
select tests.placement('private', 'elm');
delete from app.events;
select
  tests.notification('for everybody', 'jonas', p_actor => 'maya'),
  tests.notification('for hub_ready', 'jonas', 'hub_member_removed', 'amara', 'elm');
select
  tests.notification('for members', 'jonas', 'hub_role_changed', 'amara', 'elm'),
  tests.notification('for target members', 'jonas', 'post_reposted', 'amara', p_post => 'private');
select tests.notification('for nobody', 'jonas', 'hub_post_created', 'amara');
select tests.notification('to maya', 'maya', 'hub_role_changed', 'amara', 'elm');
create function pg_temp.visible()
returns setof uuid
language sql
as $$ select id from app.visible_notifications where recipient_id = tests.id('jonas') $$;

select bag_eq(
  'select pg_temp.visible()', tests.ids('for everybody', 'for hub_ready', 'for members', 'for target members'),
  'a member sees every notification but a malformed one'
);
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq(
  'select pg_temp.visible()', tests.ids('for everybody', 'for hub_ready'),
  'a former member sees no notification of the Hub or of a private post'
);
select tests.membership('elm', 'jonas');
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select bag_eq(
  'select pg_temp.visible()', tests.ids('for everybody'), 'a member who is not Hub-ready sees notifications for everybody alone'
);
update app.users set contacts_synced_at = app.now() where id = tests.id('jonas');
select bag_eq(
  'select pg_temp.visible()', tests.ids('for everybody', 'for hub_ready', 'for members', 'for target members'),
  'a member who is Hub-ready again sees every notification'
);
select tests.block('maya', 'jonas');
select bag_eq(
  'select pg_temp.visible()', tests.ids('for hub_ready', 'for members', 'for target members'),
  'a member sees no notification across a block'
);
select bag_eq(
  'select id from app.visible_notifications where recipient_id = tests.id(''maya'')', tests.ids('to maya'),
  'another member sees the own notification across the block'
);

rollback to empty;

-- withheld_notifications finds unread notifications that a block or a private post hides.
select tests.elm();
select tests.post('trams', 'amara', 'private_locked_hub');
select tests.placement('trams', 'elm');
delete from app.events;
select
  tests.notification('of maya', 'jonas', p_actor => 'maya'),
  tests.notification('of a post of maya', 'jonas', p_actor => 'lena', p_author => 'maya');
select
  tests.notification('of both', 'jonas', p_actor => 'maya', p_author => 'lena'),
  tests.notification('in elm', 'jonas', 'hub_role_changed', 'maya', 'elm');
select tests.notification('of trams by maya', 'jonas', 'post_reposted', 'maya', p_post => 'trams');
select
  tests.notification('of trams', 'jonas', 'post_reposted', 'amara', p_post => 'trams'),
  tests.notification('of amara', 'jonas', p_actor => 'amara');
select
  tests.notification('read', 'jonas', p_actor => 'maya'),
  tests.notification('read, of trams', 'jonas', 'post_reposted', 'amara', p_post => 'trams');
select
  tests.notification('read, of a post of maya', 'jonas', p_actor => 'amara', p_author => 'maya'),
  tests.notification('to lena', 'lena', p_actor => 'maya');
update app.notifications set read_at = app.now() where id = any (tests.ids('read', 'read, of trams', 'read, of a post of maya'));

select is_empty('select from app.withheld_notifications', 'withheld_notifications is empty for a member without a block');
select tests.block('maya', 'jonas');
select bag_eq(
  'select id from app.withheld_notifications', tests.ids('of maya', 'of a post of maya', 'of both', 'in elm', 'of trams by maya'),
  'withheld_notifications lists unread notifications of the actors and authors of a blocked pair'
);
select tests.block('lena', 'jonas');
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq(
  'select id, recipient_id, audience::text, scope_id from app.withheld_notifications',
  $$
    values
      (tests.id('of maya'), tests.id('jonas'), 'everybody', tests.id('jonas')),
      (tests.id('of a post of maya'), tests.id('jonas'), 'everybody', tests.id('jonas')),
      (tests.id('of both'), tests.id('jonas'), 'everybody', tests.id('jonas')),
      (tests.id('in elm'), tests.id('jonas'), 'hub_member', tests.id('elm')),
      (tests.id('of trams'), tests.id('jonas'), 'target_member', tests.id('jonas')),
      (tests.id('of trams by maya'), tests.id('jonas'), 'target_member', tests.id('jonas'))
  $$,
  'withheld_notifications lists each notification once with its scope, for blocks and private posts'
);

select * from finish();
rollback;
