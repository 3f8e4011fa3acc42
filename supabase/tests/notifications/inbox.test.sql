begin;
select plan(82);
-- Runs a change and returns the value of p_value afterwards.
create function pg_temp.after(p_change text, p_value text)
returns text
language plpgsql
as $$
declare
  v_value text;
begin
  execute p_change;
  execute 'select ' || p_value into v_value;
  return v_value;
end
$$;
-- Returns the names of ids, sorted.
create function pg_temp.names(p_ids uuid[], variadic p_names text[])
returns text
language sql
as $$ select string_agg(name, ', ' order by name) from unnest(p_names) as name where tests.id(name) = any (p_ids) $$;
savepoint empty;

-- fold_inbox_counts sums up 20,000 rows per run into one row per audience.
create function pg_temp.insert_counts(p_count integer)
returns void
language sql
as $$
  insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
  select tests.id('maya'), 'everybody', tests.id('maya'), 1, 2 from generate_series(1, p_count)
$$;
select pg_temp.insert_counts(20001);
select ok(app.fold_inbox_counts(), 'fold_inbox_counts reports more work for 20,001 rows');
select bag_eq(
  'select unread_count, change_count, is_folded from app.inbox_counts',
  'values (20000, 40000::bigint, true), (1, 2, false)',
  'fold_inbox_counts folds 20,000 rows at a time'
);
select ok(not app.fold_inbox_counts(), 'fold_inbox_counts reports no more work after the last row');
select results_eq(
  'select unread_count, change_count, is_folded from app.inbox_counts', 'values (20001, 40002::bigint, true)',
  'fold_inbox_counts adds the last row to the folded one'
);
select pg_temp.insert_counts(20000);
select ok(app.fold_inbox_counts(), 'fold_inbox_counts reports more work after a full batch');

delete from app.inbox_counts;
insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count, is_folded)
select tests.id(name), audience::app.audience, tests.id(whose), unread_count, change_count, is_folded
from (
  values
    ('maya', 'hub_member', 'elm', 3, 10, true), ('maya', 'hub_member', 'elm', 2, 1, false),
    ('maya', 'hub_member', 'elm', -1, 3, false), ('maya', 'hub_ready', 'maya', 1, 1, false),
    ('maya', 'everybody', 'maya', 5, 7, false), ('maya', 'hub_member', 'oak', 4, 1, false),
    ('jonas', 'hub_member', 'elm', -2, 2, false), ('jonas', 'everybody', 'jonas', 8, 9, true)
) as c (name, audience, whose, unread_count, change_count, is_folded);
set local session authorization opine_worker;
select ok(not app.fold_inbox_counts(), 'fold_inbox_counts reports no more work to the worker for six rows');
select ok(not app.fold_inbox_counts(), 'fold_inbox_counts reports no more work for folded rows');
reset session authorization;
select bag_eq(
  'select user_id, audience::text, audience_id, unread_count, change_count, is_folded from app.inbox_counts',
  $$
    select tests.id(name) as user_id, audience, tests.id(whose) as audience_id, unread_count, change_count,
      true as is_folded
    from (
      values
        ('maya', 'hub_member', 'elm', 4, 14::bigint), ('maya', 'hub_ready', 'maya', 1, 1),
        ('maya', 'everybody', 'maya', 5, 7),
        ('maya', 'hub_member', 'oak', 4, 1), ('jonas', 'hub_member', 'elm', -2, 2),
        ('jonas', 'everybody', 'jonas', 8, 9)
    ) as c (name, audience, whose, unread_count, change_count)
  $$,
  'fold_inbox_counts makes one row per user, audience and audience'
);

rollback to empty;

-- list_notifications describes notifications of the caller (docs/product.md N2).
select tests.elm();
select tests.asset('portrait', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('portrait') where user_id = tests.id('maya');
select tests.post('trams', 'lena');
select tests.repost('trams repost', 'maya', 'trams', 'public_hub');
select tests.comment('hello', 'maya', 'trams');
select tests.invitation('invitation', 'elm', 'maya', 'lena');
select tests.join_request('request', 'elm', 'lena');
delete from app.events;
insert into app.decisions (id, action, reason, statement, target_kind, target_id, decided_by)
values (tests.id('decision'), 'content_removed', 'spam', 'It sells pills.', 'post', tests.id('trams repost'), 'nina');
insert into app.events (
  id, type, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id, decision_id
)
values (
  tests.id('event with every id'), 'post_reposted', tests.id('maya'), tests.id('lena'), tests.id('elm'),
  tests.id('trams repost'),
  tests.id('hello'), tests.id('invitation'), tests.id('request'), tests.id('decision')
);
insert into app.events (id, type, actor_id, post_id, milestone_total, milestone_count)
values (tests.id('milestone'), 'post_vote_milestone', tests.id('maya'), tests.id('trams'), 501, 500);
insert into app.notifications (id, event_id, recipient_id, audience, audience_id, created_at, read_at)
values
  (
    tests.id('to jonas'), tests.id('event with every id'), tests.id('jonas'), 'hub_member', tests.id('elm'),
    app.now() - interval '1 hour', app.now()
  ),
  (tests.id('of votes'), tests.id('milestone'), tests.id('jonas'), 'everybody', tests.id('jonas'), app.now(), null);
create temporary table described as select tests.inbox('jonas') -> 'items' as items;

select is(
  items -> 1,
  jsonb_build_object(
    'id', tests.id('to jonas'), 'type', 'post_reposted',
    'actor', jsonb_build_object(
      'id', tests.id('maya'), 'username', 'maya', 'profilePhotoUrl', app.photo_url(tests.id('portrait')), 'isAnonymous',
      false
    ),
    'postId', tests.id('trams repost'), 'sourcePostId', tests.id('trams'), 'commentId', tests.id('hello'),
    'hub', jsonb_build_object('id', tests.id('elm'), 'name', 'elm'),
    'invitationId', tests.id('invitation'), 'joinRequestId', tests.id('request'), 'decisionId', tests.id('decision'),
    'milestoneTotal', null, 'milestoneCount', null, 'createdAt', app.iso(app.now() - interval '1 hour'), 'read', true
  ),
  'list_notifications returns every field of a read notification'
)
from described;
select is(
  items -> 0,
  jsonb_build_object(
    'id', tests.id('of votes'), 'type', 'post_vote_milestone',
    'actor', '{"id": "", "username": "", "profilePhotoUrl": null, "isAnonymous": true}'::jsonb, 'postId',
    tests.id('trams'),
    'sourcePostId', null, 'commentId', null, 'hub', null, 'invitationId', null, 'joinRequestId', null,
    'decisionId', null, 'milestoneTotal', 501, 'milestoneCount', 500, 'createdAt', app.iso(app.now()), 'read', false
  ),
  'list_notifications shows an unread milestone with an anonymous actor'
)
from described;
insert into app.suspensions (user_id) values (tests.id('maya'));
select is(
  tests.inbox('jonas') #> '{items,1,actor}', '{"id": "", "username": "", "profilePhotoUrl": null, "isAnonymous": true}',
  'list_notifications shows a suspended actor as anonymous'
);
select tests.authenticate_as('lena');
select is(
  app.inbox_items(array[(now(), tests.id('to jonas'))::app.list_entry]), '[]',
  'inbox_items omits a notification of another user'
);
reset role;

-- named_actor keeps votes anonymous (docs/product.md N5).
select set_eq(
  $$
    select type::text
    from unnest(enum_range(null::app.event_type)) as type
    where app.named_actor(type, tests.id('maya')) is null
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

-- inbox_audiences follows the level and the memberships of a user.
select tests.person(name, level)
from (values ('lena', 1), ('ben', 2), ('ann', 3), ('maya', 4), ('jonas', 4), ('tom', 4)) as c (name, level);
select tests.hub('elm', 'maya'), tests.hub('oak', 'maya');
select tests.membership('elm', 'ann'), tests.membership('oak', 'jonas');
select tests.hub('ash', 'jonas'), tests.close_hub('ash');
insert into app.suspensions (user_id) select tests.id(name) from unnest(array['ben', 'tom']) as name;
select app.end_user(tests.id('tom'));
create function pg_temp.audiences(p_name text)
returns text
language sql
as $$
  select string_agg(s.audience || s.names, ', ' order by s.audience)
  from (
    select s.audience, ' ' || string_agg(coalesce(h.name, p.username), ' ' order by h.name, p.username) as names
    from app.inbox_audiences as s
    left join app.hubs as h on h.id = s.audience_id
    left join app.profiles as p on p.user_id = s.audience_id
    where s.user_id = tests.id(p_name)
    group by s.audience
  ) as s
$$;
select is(pg_temp.audiences(name), expected, title)
from (
  values
    (
      'ann', 'everybody ann, post_viewer ann jonas maya',
      'a member who is not Hub-ready has the audiences of authors who are neither suspended nor ended, and none of a '
      'Hub'
    ),
    (
      'ben', 'everybody ben, post_viewer ann ben jonas maya', 'a suspended user has their own audience as an author'
    ),
    (
      'maya',
      'everybody maya, post_viewer ann jonas maya, target_member ann jonas maya, hub_member elm oak, hub_ready elm oak',
      'a Hub-ready user has the audience of each of their Hubs, and of each open Hub'
    ),
    (
      'jonas',
      'everybody jonas, post_viewer ann jonas maya, target_member ann jonas maya, hub_member oak, hub_ready elm oak',
      'a Hub-ready non-member has no audience of the members of the Hub'
    ),
    ('tom', null, 'an ended account has no audience')
) as c (name, expected, title);

rollback to empty;

-- The audiences of a user decide which notifications are visible and counted (docs/product.md N8, N9).
select tests.elm();
select tests.post('private', 'amara', 'private_locked_hub');
select tests.placement('private', 'elm');
delete from app.events;
select is(tests.unread_count('jonas'), 0, 'inbox_state_of counts 0 for a user without notifications');
select is(app.inbox_state_of(tests.id('nobody'))::text, '(0,0)', 'inbox_state_of starts at count 0 and version 0');
select
  tests.notification('everybody', 'jonas', p_actor => 'maya'),
  tests.notification('hub_ready', 'jonas', 'hub_member_removed', 'amara', 'elm'),
  tests.notification('members', 'jonas', 'hub_role_changed', 'amara', 'elm'),
  tests.notification('target members', 'jonas', 'post_reposted', 'amara', p_post => 'private'),
  tests.notification('nobody', 'jonas', 'hub_post_created', 'amara'),
  tests.notification('to maya', 'maya', 'hub_role_changed', 'amara', 'elm');
create function pg_temp.visible()
returns text
language sql
as $$
  select concat(
    pg_temp.names(
      array(select id from app.visible_notifications where recipient_id = tests.id('jonas')),
      'everybody', 'hub_ready', 'members', 'target members', 'nobody', 'to maya'
    ),
    ': ', tests.unread_count('jonas')
  )
$$;
select is(pg_temp.after(change, 'pg_temp.visible()'), expected, title)
from (
  values
    (
      'select', 'everybody, hub_ready, members, target members: 4',
      'a member sees and has counted every notification but a malformed one'
    ),
    (
      $$ update app.notifications set read_at = app.now() where id = tests.id('members') $$,
      'everybody, hub_ready, members, target members: 3', 'a read notification stays visible and is not counted'
    ),
    (
      $$ delete from app.memberships where user_id = tests.id('jonas') $$, 'everybody, hub_ready: 2',
      'a former member sees no notification of the Hub or of a private post'
    ),
    (
      $$ select tests.membership('elm', 'jonas') $$, 'everybody, hub_ready, members, target members: 3',
      'a member who returned sees every notification again'
    ),
    (
      $$ update app.users set contacts_synced_at = null where id = tests.id('jonas') $$, 'everybody: 1',
      'a member who is not Hub-ready sees notifications for everybody alone'
    ),
    (
      $$ update app.users set contacts_synced_at = app.now() where id = tests.id('jonas') $$,
      'everybody, hub_ready, members, target members: 3', 'a member who is Hub-ready again sees every notification'
    ),
    (
      $$ select tests.block('maya', 'jonas') $$, 'hub_ready, members, target members: 2',
      'a member sees no notification across a block'
    ),
    (
      $$ update app.notifications set is_comment_hidden = true where id = tests.id('members') $$,
      'hub_ready, target members: 2',
      'a read notification of a hidden comment is not seen, and changes no count'
    )
) as c (change, expected, title);
select is(tests.unread_count('maya'), 1, 'inbox_state_of counts the notifications of each user separately');
select bag_eq(
  'select id from app.visible_notifications where recipient_id = tests.id(''maya'')', tests.ids('to maya'),
  'another member sees the own notification across the block'
);

rollback to empty;

-- inbox_state_of returns a version that grows with every change of the inbox (docs/product.md N11).
select tests.elm();
select tests.asset('face', 'amara', 'profile_photo');
select tests.notification('follow', 'jonas', p_actor => 'lena');
create temporary table versions as select 0 as place, tests.inbox_version('jonas') as version;
insert into versions
select c.place, pg_temp.after(c.change, 'tests.inbox_version(''jonas'')')::integer
from (
  values
    (1, $$ update app.notifications set read_at = app.now() where id = tests.id('follow') $$),
    (2, $$ select tests.notification('of elm', 'jonas', 'hub_role_changed', 'amara', 'elm') $$),
    (3, $$ select tests.block('lena', 'jonas') $$),
    (4, 'delete from app.blocks'),
    (5, $$ select tests.block('jonas', 'lena') $$),
    (6, $$ delete from app.memberships where user_id = tests.id('jonas') $$),
    (7, $$ select tests.membership('elm', 'jonas') $$),
    (8, $$ update app.users set contacts_synced_at = null where id = tests.id('jonas') $$),
    (9, $$ delete from app.notifications where id = tests.id('follow') $$)
) as c (place, change);
select is_empty(
  'select n.place from versions as n join versions as o on o.place = n.place - 1 where n.version <= o.version',
  'the inbox version grows with every change'
);
select is(pg_temp.after(change, 'tests.inbox_version(''jonas'')')::integer, (select max(version) from versions), title)
from (
  values
    ('select app.fold_inbox_counts()', 'the inbox version stays the same after a fold'),
    (
      $$ select tests.notification('to lena', 'lena', p_actor => 'jonas') $$,
      'the inbox version stays the same for a notification of another user'
    ),
    (
      $$ update app.profiles set full_name = 'A. Berg', username = 'a_berg', photo_asset_id = tests.id('face')
        where user_id = tests.id('amara') $$,
      'the inbox version stays the same for a changed name and photo of an actor'
    )
) as c (change, title);

rollback to empty;

-- notifications_with_visibility withholds notifications across a block, and withheld_notifications lists the
-- unread ones. docs/product.md N10
select tests.elm();
select tests.post('trams', 'amara', 'private_locked_hub');
select tests.placement('trams', 'elm');
delete from app.events;
select
  tests.notification('1 by maya', 'jonas', p_actor => 'maya'),
  tests.notification('2 of maya', 'jonas', p_actor => 'lena', p_author => 'maya'),
  tests.notification('3 of both', 'jonas', p_actor => 'maya', p_author => 'lena'),
  tests.notification('4 in elm', 'jonas', 'hub_role_changed', 'maya', 'elm'),
  tests.notification('5 by maya of trams', 'jonas', 'post_reposted', 'maya', p_post => 'trams'),
  tests.notification('6 of trams', 'jonas', 'post_reposted', 'amara', p_post => 'trams'),
  tests.notification('7 by amara', 'jonas', p_actor => 'amara'),
  tests.notification('8 read', 'jonas', p_actor => 'maya'),
  tests.notification('9 read of maya', 'jonas', p_actor => 'amara', p_author => 'maya'),
  tests.notification('A read of trams', 'jonas', 'post_reposted', 'amara', p_post => 'trams'),
  tests.notification('B to lena', 'lena', p_actor => 'maya'), tests.notification('C by nobody', 'jonas');
update app.notifications
set read_at = app.now()
where id = any (tests.ids('8 read', '9 read of maya', 'A read of trams'));
-- The first characters of the withheld notifications, of the unread ones among them, and the unread count of Jonas.
create function pg_temp.withheld()
returns text
language sql
as $$
  with names as (
    select left(name, 1) as name, tests.id(name) as id
    from unnest(array[
      '1 by maya', '2 of maya', '3 of both', '4 in elm', '5 by maya of trams', '6 of trams', '7 by amara', '8 read',
      '9 read of maya', 'A read of trams', 'B to lena', 'C by nobody'
    ]) as name
  )
  select format(
    '%s, unread %s, counts %s',
    (
      select string_agg(n.name, '' order by n.name)
      from names as n
      join app.notifications_with_visibility as j
      using (id)
      where j.is_withheld
    ),
    (select string_agg(n.name, '' order by n.name) from names as n join app.withheld_notifications as w using (id)),
    tests.unread_count('jonas')
  )
$$;
select is(pg_temp.after(change, 'pg_temp.withheld()'), expected, title)
from (
  values
    ('select', ', unread , counts 8', 'nothing is withheld from a member without a block'),
    (
      $$ select tests.block('maya', 'jonas') $$, '1234589, unread 12345, counts 3',
      'activity and posts of a user who blocked the recipient are withheld'
    ),
    (
      $$ select tests.block('jonas', 'lena') $$, '1234589, unread 12345, counts 3',
      'a notification is withheld once for two blocks'
    ),
    (
      $$ delete from app.blocks where blocker_id = tests.id('maya') $$, '23, unread 23, counts 6',
      'activity and posts of a user whom the recipient blocked are withheld'
    ),
    (
      $$ select tests.block('maya', 'jonas') $$, '1234589, unread 12345, counts 3',
      'notifications are withheld again after another block'
    ),
    (
      $$ delete from app.memberships where user_id = tests.id('jonas') $$, '12345689A, unread 123456, counts 2',
      'private posts are withheld from a former member, and each notification is subtracted once'
    ),
    ('delete from app.blocks', '56A, unread 56, counts 5', 'an unblock ends the withholding, but not of private posts'),
    (
      $$ select tests.membership('elm', 'jonas') $$, ', unread , counts 8',
      'nothing is withheld after an unblock and a return'
    )
) as c (change, expected, title);
select is(tests.unread_count('lena'), 1, 'inbox_state_of subtracts nothing from a user outside the blocked pair');
delete from app.memberships where user_id = tests.id('jonas');
select set_eq(
  'select recipient_id, audience::text, audience_id from app.withheld_notifications',
  $$ values (tests.id('jonas'), 'target_member', tests.id('amara')) $$,
  'withheld_notifications returns the audience of a notification of a private post'
);

rollback to empty;

-- notifications_with_visibility withholds private posts from non-members, but not from their authors
-- (docs/product.md N9).
select tests.elm();
select tests.hub('oak', 'amara');
select tests.membership('oak', 'jonas');
select tests.post('trams', 'amara', 'private_locked_hub'), tests.post('bikes', 'amara', 'private_locked_hub');
select tests.slider('ferns', 'jonas', 'private_locked_hub');
select tests.placement('trams', 'elm'), tests.placement('trams', 'oak'), tests.placement('bikes', 'oak');
select tests.placement('ferns', 'elm');
delete from app.events;
select
  tests.notification('both', 'jonas', 'post_reposted', 'amara', p_post => 'trams'),
  tests.notification('oak', 'jonas', 'post_reposted', 'amara', p_post => 'bikes'),
  tests.notification('to maya', 'maya', 'post_reposted', 'amara', p_post => 'trams'),
  tests.notification('follow', 'jonas', p_actor => 'amara'),
  tests.notification('own', 'jonas', 'post_vote_milestone', p_post => 'ferns');
create function pg_temp.withheld()
returns text
language sql
as $$
  select pg_temp.names(
    array(select n.id from app.notifications_with_visibility as n where n.is_withheld), 'both', 'oak', 'to maya',
    'follow', 'own'
  )
$$;
select is(pg_temp.after(change, 'pg_temp.withheld()'), expected, title)
from (
  values
    ('select', null, 'a member of one of its Hubs sees a private post'),
    (
      $$ delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('oak') $$, 'oak',
      'a private post is withheld after leaving the only Hub with the post'
    ),
    (
      $$ delete from app.memberships where user_id = tests.id('jonas') $$, 'both, oak',
      'a private post is withheld from a non-member, but not from its author'
    ),
    ($$ select tests.membership('oak', 'jonas') $$, null, 'a private post is shown again after returning to a Hub'),
    (
      'delete from app.placements', 'both, oak, to maya',
      'a private post without a Hub is withheld from all but its author'
    )
) as c (change, expected, title);

rollback to empty;

-- list_notifications returns the visible notifications of all audiences in pages, newest first.
select tests.elm();
select tests.notification(
  'n' || n, 'jonas', case when n % 2 = 1 then 'user_followed' else 'hub_role_changed' end::app.event_type,
  case when n % 2 = 1 then 'maya' else 'amara' end, case when n % 2 = 0 then 'elm' end,
  p_created_at => app.now() - n * interval '1 minute'
)
from generate_series(1, 101) as n;
select tests.notification('hidden', 'jonas', 'hub_role_changed', 'amara', 'oak') from tests.hub('oak', 'lena');
select tests.notification('malformed', 'jonas', 'hub_post_created', 'amara');
select
  tests.notification('to maya', 'maya', p_actor => 'jonas'),
  tests.notification('to maya in elm', 'maya', 'hub_role_changed', 'amara', 'elm');
update app.notifications set read_at = app.now() where id = any (tests.ids('n2', 'n3'));
create function pg_temp.page(p_args jsonb, p_after text default null)
returns uuid[]
language sql
as $$
  select tests.item_ids(tests.inbox('jonas', p_args || jsonb_build_object(
    'cursor', (
      select app.encode_cursor(
        app.list_of('list_notifications', p_args, '{"unreadOnly": false}'), n.created_at, n.id
      )
      from app.notifications as n, set_config('request.jwt.claims', tests.claims('jonas')::text, true)
      where n.id = tests.id(p_after)
    )
  )))
$$;
-- Returns the ids of n1 to n101, sorted down.
create function pg_temp.down(p_offset integer, p_limit integer)
returns uuid[]
language sql
as $$
  select array(
    select tests.id('n' || n)
    from generate_series(1, 101) as n
    order by tests.id('n' || n) desc
    offset p_offset
    limit p_limit
  )
$$;
create temporary table pages as
select tests.inbox('jonas', '{"limit": 2}') as first,
  tests.inbox('jonas', '{"limit": 2, "unreadOnly": true}') as unread;

select is(
  first - 'items' - 'nextCursor', jsonb_build_object('unreadCount', 99, 'inboxVersion', tests.inbox_version('jonas')),
  'list_notifications returns the version of the inbox and counts all unread notifications, not those of the page'
)
from pages;
select is(
  (unread ->> 'unreadCount')::integer, 99, 'list_notifications counts all unread notifications in an unread page'
)
from pages;
select is(
  tests.item_ids(tests.inbox('jonas', jsonb_build_object('limit', 2, 'cursor', first -> 'nextCursor'))),
  tests.ids('n3', 'n4'),
  'list_notifications returns the next page behind the cursor'
)
from pages;
select is(pg_temp.page(args, after), expected, title)
from (
  values
    ('{"limit": 2}'::jsonb, null, tests.ids('n1', 'n2'), 'list_notifications merges the audiences, newest first'),
    ('{"limit": 2}', 'n3', tests.ids('n4', 'n5'), 'list_notifications returns the notifications behind the cursor'),
    (
      '{"limit": 3, "unreadOnly": true}', null, tests.ids('n1', 'n4', 'n5'),
      'list_notifications returns unread notifications alone on request'
    )
) as c (args, after, expected, title);
select is(cardinality(pg_temp.page(args)), expected, title)
from (
  values
    ('{}'::jsonb, 30, 'list_notifications returns 30 notifications by default'),
    ('{"limit": 100}', 100, 'list_notifications returns 100 notifications at most')
) as c (args, expected, title);
select isnt(
  tests.inbox('jonas', '{"limit": 100}') ->> 'nextCursor', null,
  'list_notifications returns a cursor while more notifications are left'
);
select tests.block('maya', 'jonas');
select is(
  pg_temp.page('{"limit": 2}'), tests.ids('n2', 'n4'), 'list_notifications omits notifications across a block'
);
delete from app.blocks;
update app.notifications set created_at = app.now();
select is(pg_temp.page(args, after), expected, title)
from (
  values
    ('{"limit": 1}'::jsonb, null, pg_temp.down(0, 1), 'list_notifications orders notifications of the same time by id'),
    (
      '{"limit": 10}',
      (select 'n' || n from generate_series(1, 101) as n where tests.id('n' || n) = (pg_temp.down(2, 1))[1]),
      pg_temp.down(3, 10), 'list_notifications pages through notifications of the same time by id'
    )
) as c (args, after, expected, title);
delete from app.memberships where user_id = tests.id('jonas');
select is(
  pg_temp.page('{"limit": 2}'),
  array(select tests.id('n' || n) from generate_series(1, 101, 2) as n order by 1 desc limit 2),
  'list_notifications orders notifications of the same time and audience by id'
);
delete from app.notifications where recipient_id = tests.id('jonas') and id <> tests.id('n1');
select is(
  tests.inbox('jonas', '{"limit": 1}') ->> 'nextCursor', null, 'list_notifications returns no cursor on the last page'
);
select is(
  tests.inbox('lena'),
  jsonb_build_object(
    'items', '[]'::jsonb, 'nextCursor', null, 'unreadCount', 0, 'inboxVersion', tests.inbox_version('lena')
  ),
  'list_notifications returns no notification of another user'
);

rollback to empty;

-- list_notifications requires level 1.
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

rollback to empty;

-- mark_notifications_read marks one visible notification of the caller, or all (docs/product.md N12).
select tests.elm();
select tests.hub('oak', 'lena');
select tests.notification(name, 'jonas', p_actor => 'lena') from unnest(array['one', 'two', 'read before']) as name;
select
  tests.notification('in elm', 'jonas', 'hub_role_changed', 'amara', 'elm'),
  tests.notification('in oak', 'jonas', 'hub_role_changed', 'amara', 'oak'),
  tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('to lena', 'lena', p_actor => 'jonas'),
  tests.notification('to maya in elm', 'maya', 'hub_role_changed', 'amara', 'elm');
select tests.block('maya', 'jonas');
update app.notifications set read_at = app.now() - interval '1 day' where id = tests.id('read before');
create function pg_temp.mark(p_name text)
returns jsonb
language sql
return api.mark_notifications_read(jsonb_build_object('notificationId', tests.id(p_name)));

select tests.authenticate_as('jonas');
select is(pg_temp.mark(name), expected, title)
from (
  values
    (
      'one', '{"updated": 1, "unreadCount": 2}'::jsonb,
      'mark_notifications_read marks one notification and counts the rest'
    ),
    ('one', '{"updated": 0, "unreadCount": 2}', 'mark_notifications_read updates nothing for a read notification'),
    ('of maya', '{"updated": 0, "unreadCount": 2}', 'mark_notifications_read updates nothing for a hidden notification')
) as c (name, expected, title);
select throws_ok(format('select pg_temp.mark(%L)', name), 'PT404', 'NOTIFICATION_NOT_FOUND', title)
from (
  values
    ('to lena', 'mark_notifications_read refuses a notification of another user'),
    ('unknown', 'mark_notifications_read refuses an unknown notification')
) as c (name, title);
select is(app.mark_read(tests.id('to lena')), 0::bigint, 'mark_read marks no notification of another user');
select is(
  tests.error_of($$ select api.mark_notifications_read('{}') $$),
  '{
    "state": "PT422", "code": "VALIDATION_FAILED",
    "details": {"issues": [
      {"path": [], "code": "invalid_union", "message": "Give either notificationId or all."}
    ]}
  }',
  'mark_notifications_read refuses a call with no argument'
);
select throws_ok(
  $$ select api.mark_notifications_read('{"all": false}') $$, 'PT422', 'VALIDATION_FAILED',
  'mark_notifications_read refuses a call with all: false'
);
reset role;
select bag_eq(
  $$ select id from app.notifications where read_at = app.now() $$, tests.ids('one'),
  'mark_notifications_read marks the given notification alone'
);
select app.set_clock_offset('1 minute');
select tests.authenticate_as('jonas');
select is(api.mark_notifications_read('{"all": true}'), expected, title)
from (
  values
    ('{"updated": 2, "unreadCount": 0}'::jsonb, 'mark_notifications_read marks all visible notifications'),
    ('{"updated": 0, "unreadCount": 0}', 'mark_notifications_read updates nothing if everything is read')
) as c (expected, title);
reset role;
select bag_eq(
  'select id, read_at from app.notifications where read_at is not null',
  $$
    values
      (tests.id('one'), app.now() - interval '1 minute'), (tests.id('two'), app.now()), (tests.id('in elm'), app.now()),
      (tests.id('read before'), app.now() - interval '1 day 1 minute')
  $$,
  'mark_notifications_read marks no hidden, read or foreign notification'
);
select tests.membership('oak', 'jonas');
select is(tests.unread_count('jonas'), 1, 'a hidden notification stays unread until the recipient joins the Hub');
select tests.person('tom', 1);
select tests.authenticate_as('tom');
select is(
  api.mark_notifications_read('{"all": true}'), '{"updated": 0, "unreadCount": 0}',
  'mark_notifications_read serves an anonymous user'
);
reset role;

select * from finish();
rollback;
