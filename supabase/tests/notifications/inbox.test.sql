begin;
select plan(119);
savepoint empty;

-- fold_inbox_counts: goes in parts
insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
select tests.id('maya'), 'everybody', tests.id('maya'), 1, 2 from generate_series(1, 20001);

select ok(app.fold_inbox_counts(), 'there are more');
select bag_eq(
  'select unread_count, change_count, is_folded from app.inbox_counts', 'values (20000, 40000::bigint, true), (1, 2, false)', 'than twenty thousand at a time'
);
select ok(not app.fold_inbox_counts(), 'and then none');
select results_eq('select unread_count, change_count, is_folded from app.inbox_counts', 'values (20001, 40002::bigint, true)', 'that are not in one row');
insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
select tests.id('maya'), 'everybody', tests.id('maya'), 1, 2 from generate_series(1, 20000);
select ok(app.fold_inbox_counts(), 'where it took as many as it may there may be more');

rollback to empty;

-- fold_inbox_counts: makes one row a scope
select tests.elm();
delete from app.inbox_counts;
insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count, is_folded)
values
  (tests.id('maya'), 'hub_member', tests.id('elm'), 3, 10, true),
  (tests.id('maya'), 'hub_member', tests.id('elm'), 2, 1, false), (tests.id('maya'), 'hub_member', tests.id('elm'), -1, 3, false),
  (tests.id('maya'), 'hub_ready', tests.id('maya'), 1, 1, false), (tests.id('maya'), 'everybody', tests.id('maya'), 5, 7, false),
  (tests.id('maya'), 'hub_member', tests.id('oak'), 4, 1, false), (tests.id('jonas'), 'hub_member', tests.id('elm'), -2, 2, false),
  (tests.id('jonas'), 'everybody', tests.id('jonas'), 8, 9, true);

set local session authorization opine_worker;
select ok(not app.fold_inbox_counts(), 'so few at once');
reset session authorization;
select bag_eq(
  'select user_id, audience::text, scope_id, unread_count, change_count, is_folded from app.inbox_counts',
  $$
    values
      (tests.id('maya'), 'hub_member', tests.id('elm'), 4, 14::bigint, true), (tests.id('maya'), 'hub_ready', tests.id('maya'), 1, 1, true),
      (tests.id('maya'), 'everybody', tests.id('maya'), 5, 7, true), (tests.id('maya'), 'hub_member', tests.id('oak'), 4, 1, true),
      (tests.id('jonas'), 'hub_member', tests.id('elm'), -2, 2, true), (tests.id('jonas'), 'everybody', tests.id('jonas'), 8, 9, true)
  $$,
  'what was counted is added up'
);
select ok(not app.fold_inbox_counts(), 'then there is nothing to do');
select is(count(*), 6::bigint, 'and nothing changes') from app.inbox_counts;
select set_eq($$ select tests.who_may('select app.fold_inbox_counts()') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- inbox_entries: are the newest of what may be seen
select tests.elm();
select tests.notification('n' || n, 'jonas', p_actor => 'maya', p_created_at => app.now() - n * interval '1 minute') from generate_series(1, 5, 2) as n;
select tests.notification('n' || n, 'jonas', 'hub_role_changed', 'amara', 'elm', p_created_at => app.now() - n * interval '1 minute') from generate_series(2, 6, 2) as n;
select tests.notification('hidden', 'jonas', 'hub_role_changed', 'amara', 'oak') from tests.hub('oak', 'lena');
select tests.notification('malformed', 'jonas', 'hub_post_created', 'amara'), tests.notification('to maya', 'maya', p_actor => 'jonas');
select tests.notification('to maya in elm', 'maya', 'hub_role_changed', 'amara', 'elm');
update app.notifications set read_at = app.now() where id = any (tests.ids('n1', 'n4'));
create function pg_temp.entries(p_unread_only boolean, p_behind text, p_limit integer)
returns table (place bigint, at timestamptz, id uuid)
language plpgsql
as $$
declare
  v_from app.list_entry := (select (n.created_at, n.id)::app.list_entry from app.notifications as n where n.id = tests.id(p_behind));
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
  $$ select tests.id('n' || n), app.now() - n * interval '1 minute' from generate_series(1, 6) as n $$, 'newest first, whatever they are of'
);
select results_eq($$ select id from pg_temp.entries(false, null, 3) order by place $$, tests.ids('n1', 'n2', 'n3'), 'so many');
select results_eq($$ select id from pg_temp.entries(false, 'n3', 2) order by place $$, tests.ids('n4', 'n5'), 'then the next');
select results_eq($$ select id from pg_temp.entries(true, null, 3) order by place $$, tests.ids('n2', 'n3', 'n5'), 'or those that are unread');
select tests.block('maya', 'jonas');
select results_eq($$ select id from pg_temp.entries(false, null, 2) order by place $$, tests.ids('n2', 'n4'), 'but what a block withholds');
delete from app.blocks;
update app.notifications set created_at = app.now();
select bag_eq(
  $$ select id from pg_temp.entries(false, null, 1) $$,
  $$ select id from unnest(tests.ids('n1', 'n2', 'n3', 'n4', 'n5', 'n6')) as id order by id desc limit 1 $$, 'of one time by their ids'
);
select results_eq(
  $$
    select id from pg_temp.entries(
      false, (select name from unnest(array['n1', 'n2', 'n3', 'n4', 'n5', 'n6']) as name order by tests.id(name) desc offset 2 limit 1), 10
    ) order by place
  $$,
  $$ select id from unnest(tests.ids('n1', 'n2', 'n3', 'n4', 'n5', 'n6')) as id order by id desc offset 3 $$, 'each once'
);
delete from app.memberships where user_id = tests.id('jonas');
select results_eq(
  $$ select id from pg_temp.entries(false, null, 2) order by place $$, $$ select id from unnest(tests.ids('n1', 'n3', 'n5')) as id order by id desc limit 2 $$,
  'also of one scope'
);
select set_eq($$ select tests.who_may('select app.inbox_entries(false, null, 1)') $$, array['authenticated'], 'signed-in people read their inbox');

rollback to empty;

-- inbox_items: say what happened
select tests.elm();
select tests.asset('portrait', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('portrait') where user_id = tests.id('maya');
select tests.post('trams', 'lena');
select tests.repost('trams anew', 'maya', 'trams', 'public_hub');
select tests.comment('hello', 'maya', 'trams');
select tests.invitation('invitation', 'elm', 'maya', 'lena');
select tests.join_request('request', 'elm', 'lena');
delete from app.events;
insert into app.events (id, type, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id)
values (
  tests.id('all at once'), 'post_reposted', tests.id('maya'), tests.id('lena'), tests.id('elm'), tests.id('trams anew'), tests.id('hello'),
  tests.id('invitation'), tests.id('request')
);
insert into app.notifications (id, event_id, recipient_id, audience, scope_id, created_at, read_at)
values (tests.id('to jonas'), tests.id('all at once'), tests.id('jonas'), 'hub_member', tests.id('elm'), app.now() - interval '1 hour', app.now());
create function pg_temp.items(p_reader text, variadic p_names text[])
returns jsonb
language plpgsql
as $$
declare
  v_items jsonb;
begin
  perform tests.authenticate_as(p_reader);
  v_items := app.inbox_items(array(select (now(), tests.id(name))::app.list_entry from unnest(p_names) with ordinality as named (name, place) order by place));
  perform set_config('role', 'none', true);
  return v_items;
end
$$;

select is(
  pg_temp.items('jonas', 'to jonas'),
  jsonb_build_array(jsonb_build_object(
    'id', tests.id('to jonas'), 'type', 'post_reposted',
    'actor', jsonb_build_object('id', tests.id('maya'), 'username', 'maya', 'profilePhotoUrl', app.photo_url(tests.id('portrait')), 'isAnonymous', false),
    'postId', tests.id('trams anew'), 'sourcePostId', tests.id('trams'), 'commentId', tests.id('hello'),
    'hub', jsonb_build_object('id', tests.id('elm'), 'name', 'elm'), 'invitationId', tests.id('invitation'), 'joinRequestId', tests.id('request'),
    'milestoneTotal', null, 'milestoneCount', null, 'createdAt', app.iso(app.now() - interval '1 hour'), 'read', true
  )),
  'all of it'
);
insert into app.events (id, type, actor_id, post_id, milestone_total, milestone_count)
values (tests.id('milestone'), 'post_vote_milestone', tests.id('maya'), tests.id('trams'), 501, 500);
insert into app.notifications (id, event_id, recipient_id, audience, scope_id)
values (tests.id('of votes'), tests.id('milestone'), tests.id('jonas'), 'everybody', tests.id('jonas'));
select is(
  pg_temp.items('jonas', 'of votes') -> 0,
  jsonb_build_object(
    'id', tests.id('of votes'), 'type', 'post_vote_milestone',
    'actor', '{"id": "", "username": "", "profilePhotoUrl": null, "isAnonymous": true}'::jsonb, 'postId', tests.id('trams'), 'sourcePostId', null,
    'commentId', null, 'hub', null, 'invitationId', null, 'joinRequestId', null, 'milestoneTotal', 501, 'milestoneCount', 500,
    'createdAt', app.iso(app.now()), 'read', false
  ),
  'or what applies; votes are nobody''s'
);
select is(
  jsonb_path_query_array(pg_temp.items('jonas', 'of votes', 'to jonas'), '$[*].id'), to_jsonb(tests.ids('of votes', 'to jonas')), 'in the order that is asked for'
);
select is(
  jsonb_path_query_array(pg_temp.items('jonas', 'to jonas', 'of votes'), '$[*].id'), to_jsonb(tests.ids('to jonas', 'of votes')), 'either way'
);
select tests.notification('of a follow', 'jonas', p_actor => 'maya');
select is(pg_temp.items('jonas', 'of a follow') #>> '{0,type}', 'user_followed', 'also of what is about no post');
select is(pg_temp.items('lena', 'to jonas'), '[]', 'to its recipient alone');
select set_eq($$ select tests.who_may('select app.inbox_items(null)') $$, array['authenticated'], 'signed-in people read their inbox');

rollback to empty;

-- inbox_scopes: follow what people are
select tests.person('lena', 1), tests.person('ben', 2), tests.person('ann', 3), tests.person('maya', 4), tests.person('jonas', 4), tests.person('tom', 4);
select tests.hub('elm', 'maya'), tests.hub('oak', 'maya');
select tests.membership('elm', 'ann'), tests.membership('oak', 'jonas');
select app.end_user(tests.id('tom'));
create function pg_temp.scopes(p_name text)
returns table (audience text, scope_id uuid)
language sql
as $$ select audience::text, scope_id from app.inbox_scopes where user_id = tests.id(p_name) $$;

select bag_eq($$ select * from pg_temp.scopes('lena') $$, $$ values ('everybody', tests.id('lena')) $$, 'of anybody what is theirs');
select bag_eq($$ select * from pg_temp.scopes('ben') $$, $$ values ('everybody', tests.id('ben')) $$, 'registered as well');
select bag_eq($$ select * from pg_temp.scopes('ann') $$, $$ values ('everybody', tests.id('ann')) $$, 'of a Hub nothing before they are Hub-ready');
select bag_eq(
  $$ select * from pg_temp.scopes('maya') $$,
  $$
    values
      ('everybody', tests.id('maya')), ('hub_ready', tests.id('maya')), ('target_member', tests.id('maya')), ('hub_member', tests.id('elm')), ('hub_member', tests.id('oak'))
  $$,
  'whoever is has each Hub of theirs'
);
select bag_eq(
  $$ select * from pg_temp.scopes('jonas') $$,
  $$ values ('everybody', tests.id('jonas')), ('hub_ready', tests.id('jonas')), ('target_member', tests.id('jonas')), ('hub_member', tests.id('oak')) $$,
  'and no other'
);
select is_empty($$ select * from pg_temp.scopes('tom') $$, 'of an ended account there is none');

rollback to empty;

-- inbox_state_of: counts what may be seen
select tests.elm();
select tests.post('closed', 'amara', 'private_locked_hub');
select tests.placed('closed', 'elm');
delete from app.events;
select is(tests.unread('jonas'), 0, 'who was told nothing has nothing to read');
select tests.notification('for anybody', 'jonas', p_actor => 'maya'), tests.notification('for hub-ready', 'jonas', 'hub_member_removed', 'amara', 'elm');
select tests.notification('for members', 'jonas', 'hub_role_changed', 'amara', 'elm'), tests.notification('for members too', 'jonas', 'hub_post_created', 'amara', 'elm');
select tests.notification('for targets', 'jonas', 'post_reposted', 'amara', p_post => 'closed');
select tests.notification('for nobody', 'jonas', 'hub_post_created', 'amara');
select tests.notification('to maya', 'maya', 'hub_role_changed', 'amara', 'elm');

select is(tests.unread('jonas'), 5, 'all that is visible');
update app.notifications set read_at = app.now() where id = tests.id('for members');
select is(tests.unread('jonas'), 4, 'and unread');
delete from app.memberships where user_id = tests.id('jonas');
select is(tests.unread('jonas'), 2, 'nothing of Hubs that were left');
select tests.membership('elm', 'jonas');
select is(tests.unread('jonas'), 4, 'until somebody comes back');
select is(tests.unread('maya'), 1, 'each their own');

rollback to empty;

-- inbox_state_of: has a version that grows
select tests.elm();
select tests.post('trams', 'amara', 'public_hub');
create temporary table versions (place integer generated always as identity, what text, version integer);
create function pg_temp.note(p_what text)
returns void
language sql
as $$ insert into versions (what, version) values (p_what, tests.inbox_version('jonas')) $$;

select pg_temp.note('');
select tests.notification('hers', 'jonas', p_actor => 'lena');
select pg_temp.note('told');
update app.notifications set read_at = app.now() where id = tests.id('hers');
select pg_temp.note('read');
select tests.notification('of elm', 'jonas', 'hub_role_changed', 'amara', 'elm'), tests.notification('also of elm', 'jonas', 'hub_role_changed', 'amara', 'elm');
select pg_temp.note('told of elm');
select tests.block('lena', 'jonas');
select pg_temp.note('blocked');
delete from app.blocks;
select pg_temp.note('unblocked');
select tests.block('jonas', 'lena');
select pg_temp.note('blocks');
delete from app.memberships where user_id = tests.id('jonas');
select pg_temp.note('left');
select tests.membership('elm', 'jonas');
select pg_temp.note('joined');
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select pg_temp.note('no longer Hub-ready');
delete from app.notifications where id = tests.id('hers');
select pg_temp.note('gone');
select app.fold_inbox_counts();
select pg_temp.note('counted anew');

select results_eq(
  'select what from versions as v where v.version <= (select max(o.version) from versions as o where o.place < v.place)', array['counted anew'],
  'with each change of what somebody sees'
);
select is(max(version), (select version from versions order by place desc limit 1), 'and stays, where nothing changes') from versions;
select tests.notification('his', 'lena', p_actor => 'jonas');
select is(tests.inbox_version('jonas'), (select max(version) from versions), 'or for others alone');
select is(app.inbox_state_of(tests.id('nobody'))::text, '(0,0)', 'who has never been told anything begins at naught');
select is_empty($$ select tests.who_may('select app.inbox_state_of(null)') $$, 'no role asks for that of others');

rollback to empty;

-- inbox_state_of: leaves out what is withheld
select tests.elm();
select tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('of lena', 'jonas', p_actor => 'lena');
select tests.notification('read, of maya', 'jonas', p_actor => 'maya'), tests.notification('of a post of maya', 'jonas', p_actor => 'lena', p_author => 'maya');
select tests.notification('of maya in elm', 'jonas', 'hub_role_changed', 'maya', 'elm'), tests.notification('to lena', 'lena', p_actor => 'maya');
update app.notifications set read_at = app.now() where id = tests.id('read, of maya');

select is(tests.unread('jonas'), 4, 'all that is unread');
select tests.block('maya', 'jonas');
select is(tests.unread('jonas'), 1, 'but what a block withholds');
delete from app.memberships where user_id = tests.id('jonas');
select is(tests.unread('jonas'), 1, 'what is hidden anyway is taken away once');
select is(tests.unread('lena'), 1, 'nothing of others is');
delete from app.blocks;
select tests.membership('elm', 'jonas');
select is(tests.unread('jonas'), 4, 'and when it has gone, all counts again');

rollback to empty;

-- judged_notifications: holds for people a block parts
select tests.person(name, 4) from unnest(array['maya', 'jonas', 'lena', 'ann', 'ben']) as name;
select tests.notification('of jonas', 'maya', p_actor => 'jonas'), tests.notification('of lena', 'maya', p_actor => 'lena');
select tests.notification('of ann', 'maya', p_actor => 'ann'), tests.notification('of a post of jonas', 'maya', p_actor => 'ann', p_author => 'jonas');
select tests.notification('of a post of lena', 'maya', p_actor => 'ann', p_author => 'lena');
select tests.notification('of nobody', 'maya'), tests.notification('of all', 'maya', p_actor => 'jonas', p_author => 'lena');
select tests.notification('to ben', 'ben', p_actor => 'jonas');
create function pg_temp.withheld()
returns setof uuid
language sql
as $$ select n.id from app.judged_notifications as n where n.is_withheld $$;

select is_empty('select pg_temp.withheld()', 'nothing is withheld where no block stands');
select tests.block('maya', 'jonas');
select bag_eq('select pg_temp.withheld()', tests.ids('of jonas', 'of a post of jonas', 'of all'), 'whom they blocked they hear nothing of, nor of their posts');
select tests.block('lena', 'maya');
select bag_eq(
  'select pg_temp.withheld()', tests.ids('of jonas', 'of a post of jonas', 'of all', 'of lena', 'of a post of lena'), 'nor of who blocked them; each once'
);
update app.notifications set read_at = app.now();
select bag_eq(
  'select pg_temp.withheld()', tests.ids('of jonas', 'of a post of jonas', 'of all', 'of lena', 'of a post of lena'), 'whether they have read it or not'
);
delete from app.blocks;
select is_empty('select pg_temp.withheld()', 'and when it has gone, all is there again');

rollback to empty;

-- judged_notifications: holds for posts of other hubs
select tests.elm();
select tests.hub('oak', 'amara');
select tests.membership('oak', 'jonas');
select tests.post('trams', 'amara', 'private_locked_hub'), tests.post('bikes', 'amara', 'private_locked_hub');
select tests.placed('trams', 'elm'), tests.placed('trams', 'oak'), tests.placed('bikes', 'oak');
delete from app.events;
select tests.notification('of elm and oak', 'jonas', 'post_reposted', 'amara', p_post => 'trams'), tests.notification('of oak', 'jonas', 'post_reposted', 'amara', p_post => 'bikes');
select tests.notification('to maya', 'maya', 'post_reposted', 'amara', p_post => 'trams');
select tests.notification('open', 'jonas', p_actor => 'amara');
create function pg_temp.withheld()
returns setof uuid
language sql
as $$ select n.id from app.judged_notifications as n where n.is_withheld $$;

select is_empty('select pg_temp.withheld()', 'a member of a Hub of the post sees it');
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('oak');
select bag_eq('select pg_temp.withheld()', tests.ids('of oak'), 'who is in none does not');
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq('select pg_temp.withheld()', tests.ids('of oak', 'of elm and oak'), 'though others are');
select tests.membership('oak', 'jonas');
select is_empty('select pg_temp.withheld()', 'who comes back does');
delete from app.placements;
select bag_eq('select pg_temp.withheld()', tests.ids('of oak', 'of elm and oak', 'to maya'), 'and nobody of a post that is nowhere');

rollback to empty;

-- judged_notifications: spares milestones of posts they see
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'jonas', 'private_locked_hub');
select tests.placed('trams', 'elm');
select tests.placed('trams', 'oak', app.now(), 'shared', 'maya');
delete from app.events;
select tests.notification('to its author', 'jonas', 'post_vote_milestone', p_post => 'trams');
select tests.notification('to a voter', 'lena', 'post_vote_milestone', p_post => 'trams', p_author => 'jonas');

-- docs/product.md N9: recipients of milestones are those who may see the post: its author, and active members of Hubs into which it was shared onward.
select is_empty($$ select from app.judged_notifications as n where n.is_withheld and n.id = tests.id('to a voter') $$, 'a member of a Hub into which it was shared sees the post, and its milestones');
delete from app.memberships where user_id = tests.id('jonas');
select is_empty($$ select from app.judged_notifications as n where n.is_withheld and n.id = tests.id('to its author') $$, 'an author who left sees their post, and its milestones');

rollback to empty;

-- list_notifications: is an inbox
select tests.elm();
select tests.notification('n' || n, 'jonas', p_actor => 'maya', p_created_at => app.now() - n * interval '1 minute') from generate_series(1, 101) as n;
update app.notifications set read_at = app.now() where id = any (tests.ids('n2', 'n3'));
create temporary table pages as
select tests.inbox('jonas', '{"limit": 2}') as first, tests.inbox('jonas', '{"limit": 2, "unreadOnly": true}') as unread;

select set_eq('select jsonb_object_keys(first) from pages', array['items', 'nextCursor', 'unreadCount', 'inboxVersion'], 'its parts');
select results_eq('select tests.items(first) from pages', tests.ids('n1', 'n2'), 'newest first');
select results_eq(
  $$ select tests.items(tests.inbox('jonas', jsonb_build_object('limit', 2, 'cursor', first -> 'nextCursor'))) from pages $$, tests.ids('n3', 'n4'), 'then the next'
);
select results_eq('select tests.items(unread) from pages', tests.ids('n1', 'n4'), 'or the unread alone');
select is((first ->> 'unreadCount')::integer, 99, 'with the badge of all') from pages;
select is((unread ->> 'unreadCount')::integer, 99, 'whatever is listed') from pages;
select is((first ->> 'inboxVersion')::integer, tests.inbox_version('jonas'), 'and its version') from pages;
select is(jsonb_array_length(tests.inbox('jonas') -> 'items'), 30, 'thirty at once');
select is(jsonb_array_length(tests.inbox('jonas', '{"limit": 100}') -> 'items'), 100, 'or a hundred');
select isnt(tests.inbox('jonas', '{"limit": 100}') ->> 'nextCursor', null, 'there are more');
delete from app.notifications where id = tests.id('n101');
select is(tests.inbox('jonas', '{"limit": 100}') ->> 'nextCursor', null, 'until there are none');
select is(tests.inbox('lena'), '{"items": [], "nextCursor": null, "unreadCount": 0, "inboxVersion": 0}' || jsonb_build_object('inboxVersion', tests.inbox_version('lena')), 'of others there is nothing');

rollback to empty;

-- list_notifications: is for anybody with a session
select tests.person('lena', 1);
select tests.notification('hers', 'lena');
select results_eq($$ select tests.items(tests.inbox('lena')) $$, tests.ids('hers'), 'also without a profile');
select tests.authenticate_as('lena');
select throws_ok($$ select api.list_notifications('{"limit": 101}') $$, 'PT422', 'VALIDATION_FAILED', 'a hundred at most');
select throws_ok($$ select api.list_notifications('{"cursor": "here"}') $$, 'PT422', 'VALIDATION_FAILED', 'from a cursor of ours');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select api.list_notifications('{}') $$, 'PT401', 'UNAUTHORIZED', 'as long as it lives');
reset role;
select set_eq($$ select tests.who_may($s$ select api.list_notifications('{}') $s$) $$, array['authenticated'], 'guests have none');

rollback to empty;

-- mark_all_read: reads what may be seen
select tests.elm();
select tests.hub('oak', 'lena');
select tests.notification('seen', 'jonas', p_actor => 'lena'), tests.notification('in elm', 'jonas', 'hub_role_changed', 'amara', 'elm');
select tests.notification('in oak', 'jonas', 'hub_role_changed', 'amara', 'oak'), tests.notification('of maya', 'jonas', p_actor => 'maya');
select tests.notification('read before', 'jonas', p_actor => 'lena'), tests.notification('to lena', 'lena', p_actor => 'jonas');
select tests.notification('to maya in elm', 'maya', 'hub_role_changed', 'amara', 'elm');
select tests.block('maya', 'jonas');
update app.notifications set read_at = app.now() - interval '1 day' where id = tests.id('read before');

select is(tests.reads('jonas'), 2::bigint, 'how many were unread');
select bag_eq(
  'select id, read_at from app.notifications where read_at is not null',
  $$ values (tests.id('seen'), app.now()), (tests.id('in elm'), app.now()), (tests.id('read before'), app.now() - interval '1 day') $$,
  'all that somebody sees, and nothing that is hidden from them, or another''s'
);
select is(tests.reads('jonas'), 0::bigint, 'once');
select tests.membership('oak', 'jonas');
select is(tests.unread('jonas'), 1, 'what shows later is unread');
select is_empty($$ select tests.who_may('select app.mark_all_read()') $$, 'no role asks by itself');

rollback to empty;

-- mark_notifications_read: says what is left
select tests.elm();
select tests.notification('one', 'jonas', p_actor => 'lena'), tests.notification('two', 'jonas', p_actor => 'lena'), tests.notification('three', 'jonas', p_actor => 'lena');
select tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('to lena', 'lena', p_actor => 'jonas');
select tests.block('maya', 'jonas');
create function pg_temp.marks(p_name text)
returns jsonb
language sql
return api.mark_notifications_read(jsonb_build_object('notificationId', tests.id(p_name)));

select tests.authenticate_as('jonas');
select is(pg_temp.marks('one'), '{"updated": 1, "unreadCount": 2}', 'one');
select is(pg_temp.marks('one'), '{"updated": 0, "unreadCount": 2}', 'that is read already');
select is(pg_temp.marks('of maya'), '{"updated": 0, "unreadCount": 2}', 'or hidden');
select throws_ok($$ select pg_temp.marks('to lena') $$, 'PT404', 'NOTIFICATION_NOT_FOUND', 'what is another''s is not found');
select throws_ok($$ select pg_temp.marks('nothing') $$, 'PT404', 'NOTIFICATION_NOT_FOUND', 'nor what is not there');
select is(
  tests.error_of($$ select api.mark_notifications_read('{}') $$),
  '{
    "state": "PT422", "code": "VALIDATION_FAILED",
    "details": {"issues": [{"path": [], "code": "invalid_union", "message": "Either notificationId or all is to be given."}]}
  }',
  'which, has to be said'
);
select throws_ok($$ select api.mark_notifications_read('{"all": false}') $$, 'PT422', 'VALIDATION_FAILED', 'and said so');
select is(api.mark_notifications_read('{"all": true}'), '{"updated": 2, "unreadCount": 0}', 'or all');
reset role;
select tests.person('tom', 1);
select tests.authenticate_as('tom');
select is(api.mark_notifications_read('{"all": true}'), '{"updated": 0, "unreadCount": 0}', 'anybody, whose session lives');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select api.mark_notifications_read('{"all": true}') $$, 'PT401', 'UNAUTHORIZED', 'while it does');
reset role;
select set_eq($$ select tests.who_may($s$ select api.mark_notifications_read('{}') $s$) $$, array['authenticated'], 'and no guest');

rollback to empty;

-- mark_read: reads one
select tests.elm();
select tests.notification('one', 'jonas', p_actor => 'lena'), tests.notification('other', 'jonas', p_actor => 'lena');
select tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('to lena', 'lena', p_actor => 'jonas');
select tests.block('maya', 'jonas');

select tests.authenticate_as('jonas');
select is(app.mark_read(tests.id('one')), 1::bigint, 'one that is unread');
select is(app.mark_read(tests.id('one')), 0::bigint, 'and no more');
select is(app.mark_read(tests.id('of maya')), 0::bigint, 'none that is hidden');
select is(app.mark_read(tests.id('to lena')), 0::bigint, 'or another''s');
reset role;
select bag_eq('select id, read_at from app.notifications where read_at is not null', $$ values (tests.id('one'), app.now()) $$, 'that one alone');
select is(tests.reads('jonas'), 1::bigint, 'or for null all');
select set_eq($$ select tests.who_may('select app.mark_read(null)') $$, array['authenticated'], 'signed-in people read');

rollback to empty;

-- my_inbox_state: is the callers
select tests.person('maya'), tests.person('jonas');
select tests.notification('hers', 'maya'), tests.notification('another', 'maya'), tests.notification('his', 'jonas');
select tests.authenticate_as('maya');
select is(app.my_inbox_state()::text, '(2,2)', 'how many are unread, and how new that is');
reset role;
select set_eq($$ select tests.who_may('select app.my_inbox_state()') $$, array['authenticated'], 'signed-in people ask');

rollback to empty;

-- named_actor: is nobody where it is of votes
select set_eq(
  $$ select type::text from unnest(enum_range(null::app.event_type)) as type where app.named_actor(type, tests.id('maya')) is null $$,
  array['post_vote_milestone', 'post_voted'], 'votes are nobody''s'
);
select set_eq(
  $$
    select distinct app.named_actor(type, tests.id('maya')) from unnest(enum_range(null::app.event_type)) as type
    where type not in ('post_vote_milestone', 'post_voted')
  $$,
  tests.ids('maya'), 'all else is whose act it was'
);
select is_empty($$ select tests.who_may('select app.named_actor(null, null)') $$, 'no role asks');

rollback to empty;

-- require_notification: finds ones own
select tests.person('maya'), tests.person('jonas');
select tests.notification('hers', 'maya', p_actor => 'jonas'), tests.notification('his', 'jonas'), tests.notification('malformed', 'maya', 'hub_post_created');
select tests.authenticate_as('maya');
select lives_ok($$ select app.require_notification(tests.id('hers')) $$, 'one''s own');
select lives_ok($$ select app.require_notification(tests.id('malformed')) $$, 'also one that is hidden');
select throws_ok($$ select app.require_notification(tests.id('his')) $$, 'PT404', 'NOTIFICATION_NOT_FOUND', 'and no other');
select throws_ok($$ select app.require_notification(tests.id('none')) $$, 'PT404', 'NOTIFICATION_NOT_FOUND', 'nor what is not there');
reset role;
select set_eq($$ select tests.who_may('select app.require_notification(null)') $$, array['authenticated'], 'signed-in people ask');

rollback to empty;

-- visible_notifications: are of scopes that somebody has
select tests.elm();
select tests.post('closed', 'amara', 'private_locked_hub');
select tests.placed('closed', 'elm');
delete from app.events;
select tests.notification('for anybody', 'jonas', p_actor => 'maya'), tests.notification('for hub-ready', 'jonas', 'hub_member_removed', 'amara', 'elm');
select tests.notification('for members', 'jonas', 'hub_role_changed', 'amara', 'elm'), tests.notification('for targets', 'jonas', 'post_reposted', 'amara', p_post => 'closed');
select tests.notification('for nobody', 'jonas', 'hub_post_created', 'amara');
select tests.notification('to maya', 'maya', 'hub_role_changed', 'amara', 'elm');
create function pg_temp.visible()
returns setof uuid
language sql
as $$ select id from app.visible_notifications where recipient_id = tests.id('jonas') $$;

select bag_eq('select pg_temp.visible()', tests.ids('for anybody', 'for hub-ready', 'for members', 'for targets'), 'a member sees all but what is malformed');
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq('select pg_temp.visible()', tests.ids('for anybody', 'for hub-ready'), 'who left nothing of the Hub');
select tests.membership('elm', 'jonas');
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select bag_eq('select pg_temp.visible()', tests.ids('for anybody'), 'who is not Hub-ready nothing of any');
update app.users set contacts_synced_at = app.now() where id = tests.id('jonas');
select bag_eq('select pg_temp.visible()', tests.ids('for anybody', 'for hub-ready', 'for members', 'for targets'), 'who comes back all of it');
select tests.block('maya', 'jonas');
select bag_eq('select pg_temp.visible()', tests.ids('for hub-ready', 'for members', 'for targets'), 'and what a block withholds nobody');
select bag_eq('select id from app.visible_notifications where recipient_id = tests.id(''maya'')', tests.ids('to maya'), 'each their own');

rollback to empty;

-- withheld_notifications: are the unread ones
select tests.elm();
select tests.post('trams', 'amara', 'private_locked_hub');
select tests.placed('trams', 'elm');
delete from app.events;
select tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('of her post', 'jonas', p_actor => 'lena', p_author => 'maya');
select tests.notification('of both', 'jonas', p_actor => 'maya', p_author => 'lena'), tests.notification('in elm', 'jonas', 'hub_role_changed', 'maya', 'elm');
select tests.notification('of trams by maya', 'jonas', 'post_reposted', 'maya', p_post => 'trams');
select tests.notification('of trams', 'jonas', 'post_reposted', 'amara', p_post => 'trams'), tests.notification('of amara', 'jonas', p_actor => 'amara');
select tests.notification('read', 'jonas', p_actor => 'maya'), tests.notification('read, of trams', 'jonas', 'post_reposted', 'amara', p_post => 'trams');
select tests.notification('read, of her post', 'jonas', p_actor => 'amara', p_author => 'maya'), tests.notification('to lena', 'lena', p_actor => 'maya');
update app.notifications set read_at = app.now() where id = any (tests.ids('read', 'read, of trams', 'read, of her post'));

select is_empty('select from app.withheld_notifications', 'of what people may see there is none');
select tests.block('maya', 'jonas');
select bag_eq('select id from app.withheld_notifications', tests.ids('of maya', 'of her post', 'of both', 'in elm', 'of trams by maya'), 'but of whom a block parts from them');
select tests.block('lena', 'jonas');
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq(
  'select id, recipient_id, audience::text, scope_id from app.withheld_notifications',
  $$
    values
      (tests.id('of maya'), tests.id('jonas'), 'everybody', tests.id('jonas')), (tests.id('of her post'), tests.id('jonas'), 'everybody', tests.id('jonas')),
      (tests.id('of both'), tests.id('jonas'), 'everybody', tests.id('jonas')), (tests.id('in elm'), tests.id('jonas'), 'hub_member', tests.id('elm')),
      (tests.id('of trams'), tests.id('jonas'), 'target_member', tests.id('jonas')), (tests.id('of trams by maya'), tests.id('jonas'), 'target_member', tests.id('jonas'))
  $$,
  'and of posts for other Hubs, each once, with its scope'
);

select * from finish();
rollback;
