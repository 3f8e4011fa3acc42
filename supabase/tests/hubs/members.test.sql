begin;
select plan(181);
savepoint empty;

-- become_member: settles what was open
select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');
select tests.invitation('amara''s', 'elm', 'amara', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select tests.invitation('declined', 'elm', 'maya', 'lena', 'declined');
select tests.invitation('over', 'elm', 'jonas', 'lena', 'pending', app.now());
select tests.invitation('of ann', 'elm', 'amara', 'ann');
select tests.invitation('to oak', 'oak', 'ann', 'lena');
select tests.join_request('lena asks', 'elm', 'lena');
select tests.join_request('lena asked', 'elm', 'lena', 'rejected');
select tests.join_request('ann asks', 'elm', 'ann');
select tests.join_request('of oak', 'oak', 'lena');
select app.become_member(tests.id('elm'), tests.id('lena'));

create function pg_temp.invitations(p_state app.invitation_state)
returns setof text
language sql
as $$
  select name
  from unnest(array['amara''s', 'maya''s', 'declined', 'over', 'of ann', 'to oak']) as name
  join app.hub_invitations as i on i.id = tests.id(name)
  where i.state = p_state
$$;

create function pg_temp.requests(p_state app.join_request_state)
returns setof text
language sql
as $$
  select name
  from unnest(array['lena asks', 'lena asked', 'ann asks', 'of oak']) as name
  join app.join_requests as r on r.id = tests.id(name)
  where r.state = p_state
$$;

select results_eq(
  $$ select role, joined_at from app.memberships where hub_id = tests.id('elm') and user_id = tests.id('lena') $$,
  $$ values ('member'::app.hub_role, app.now()) $$, 'somebody becomes a member, and no more than that'
);
select bag_eq($$ select pg_temp.invitations('accepted') $$, array['amara''s', 'maya''s'], 'all their open invitations to the Hub are accepted');
select bag_eq($$ select pg_temp.invitations('pending') $$, array['over', 'of ann', 'to oak'], 'and no others');
select bag_eq($$ select pg_temp.requests('approved') $$, array['lena asks'], 'and what they asked is approved');
select bag_eq($$ select pg_temp.requests('pending_admin_approval') $$, array['ann asks', 'of oak'], 'and nothing else');
select results_eq(
  'select type, actor_id, subject_id, hub_id from app.events',
  $$ values ('hub_member_joined'::app.event_type, tests.id('lena'), tests.id('lena'), tests.id('elm')) $$, 'the members are told'
);
select is_empty($$ select tests.who_may('select app.become_member(null, null)') $$, 'and this is not for anybody to call');

rollback to empty;

-- count_members: counts members
select tests.person(name, 4) from unnest(array['amara', 'maya', 'jonas']) as name;

create function pg_temp.counts()
returns setof text
language sql
as $$ select format('%s: %s', h.name, h.member_count) from app.hubs as h $$;

select tests.hub('elm', 'amara');
select tests.hub('oak', 'maya');
select tests.hub('ash', 'jonas');
insert into app.memberships (hub_id, user_id, role)
values (tests.id('elm'), tests.id('maya'), 'member'), (tests.id('elm'), tests.id('jonas'), 'member'), (tests.id('oak'), tests.id('jonas'), 'member');
select set_eq('select pg_temp.counts()', array['elm: 3', 'oak: 2', 'ash: 1'], 'many in one statement are counted each');
update app.memberships set role = 'manager';
select set_eq('select pg_temp.counts()', array['elm: 3', 'oak: 2', 'ash: 1'], 'roles do not matter');
delete from app.memberships where user_id in (tests.id('maya'), tests.id('amara'));
select set_eq('select pg_temp.counts()', array['elm: 1', 'oak: 1', 'ash: 1'], 'nor do those count who have left');
select lives_ok($$ delete from app.users where id = tests.id('jonas') $$, 'a user whose row is deleted takes their memberships along');
select set_eq('select pg_temp.counts()', array['elm: 0', 'oak: 0', 'ash: 0'], 'and is counted no more');

rollback to empty;

-- count_members: counts who was seen
select tests.elm();
select tests.hub('oak', 'amara');

create function pg_temp.seen()
returns setof text
language sql
as $$
  select format('%s %s: %s', h.name, to_char(p.seen_in at time zone 'UTC', 'HH24:MI'), sum(p.member_count))
  from app.hub_presence as p
  join app.hubs as h on h.id = p.hub_id
  group by h.name, p.seen_in
  having sum(p.member_count) <> 0
$$;

create function pg_temp.see(p_time text, p_hubs text[], variadic p_names text[])
returns void
language sql
as $$
  update app.memberships as m
  set seen_at = ('2026-01-01 ' || p_time || '+00')::timestamptz
  where m.hub_id in (select tests.id(hub) from unnest(p_hubs) as hub) and m.user_id in (select tests.id(name) from unnest(p_names) as name)
$$;

select is_empty('select from app.hub_presence', 'nobody was seen yet');
select pg_temp.see('12:04:59', '{elm,oak}', 'amara', 'maya');
select set_eq('select pg_temp.seen()', array['elm 12:00: 2', 'oak 12:00: 1'], 'members count in the five minutes in which they were seen');
select pg_temp.see('12:02', '{elm}', 'jonas');
select set_eq('select pg_temp.seen()', array['elm 12:00: 3', 'oak 12:00: 1'], 'by and by');
select pg_temp.see('12:05', '{elm}', 'maya', 'jonas');
select set_eq('select pg_temp.seen()', array['elm 12:00: 1', 'elm 12:05: 2', 'oak 12:00: 1'], 'once, where they were seen last');
delete from app.memberships where user_id = tests.id('maya');
select set_eq('select pg_temp.seen()', array['elm 12:00: 1', 'elm 12:05: 1', 'oak 12:00: 1'], 'who leaves counts no more where they were seen');
delete from app.memberships where user_id = tests.id('amara') and hub_id = tests.id('elm');
select set_eq('select pg_temp.seen()', array['elm 12:05: 1', 'oak 12:00: 1'], 'and nowhere else');
insert into app.memberships (hub_id, user_id, role, seen_at)
values (tests.id('oak'), tests.id('lena'), 'member', '2026-01-01 12:01+00'), (tests.id('oak'), tests.id('jonas'), 'member', null);
select set_eq('select pg_temp.seen()', array['elm 12:05: 1', 'oak 12:00: 2'], 'who joins is seen when they are');

rollback to empty;

-- count_members: goes with a deleted hub
select tests.elm();
update app.memberships set seen_at = app.now();
select lives_ok('delete from app.hubs', 'a Hub whose row is deleted takes its members along');
select is_empty('select from app.hub_presence', 'and when they were seen');

rollback to empty;

-- end_membership: closes with the last
select tests.elm();
select tests.hub('oak', 'amara');
select tests.hub('ash', 'lena');
delete from app.memberships where hub_id = tests.id('ash');
update app.hubs set custom_link = name || '-street';
select app.end_membership(tests.id('elm'), tests.id(name)) from unnest(array['jonas', 'maya']) as name;
select is_empty('select from app.hubs where closed_at is not null', 'a Hub is open as long as it has a member');
select app.end_membership(tests.id('elm'), tests.id('amara'));
select results_eq(
  $$ select closed_at, custom_link collate "default" from app.hubs where id = tests.id('elm') $$, 'values (app.now(), null)',
  'the last one closes it, and its custom link is free'
);
select is_empty($$ select from app.hubs where id <> tests.id('elm') and closed_at is not null $$, 'and it alone');

rollback to empty;

-- end_membership: keeps what was saved and muted
select tests.elm();
select tests.post('trams', 'amara');
select tests.placed('trams', 'elm');
insert into app.saved_discussions (user_id, discussion_id) values (tests.id('jonas'), tests.id('trams in elm'));
insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('jonas'));
select app.end_membership(tests.id('elm'), tests.id('jonas'));

select tests.authenticate_as('jonas');
select is(api.list_saved_discussions('{}') -> 'items', '[]', 'a former member does not see a saved discussion of the Hub');
select is(
  tests.error_of($$ select api.get_hub_settings(tests.in_hub('elm')) $$) ->> 'code', 'FORBIDDEN', 'a former member does not read the mute'
);
select is(
  tests.error_of($$ delete from app.hub_mutes $$), null, 'a former member may try to delete the mute'
);
reset role;
select app.become_member(tests.id('elm'), tests.id('jonas'));
select tests.authenticate_as('jonas');
select is(
  api.list_saved_discussions('{}') #>> '{items,0,id}', tests.id('trams in elm')::text, 'a member who came back sees the saved discussion'
);
select is(api.get_hub_settings(tests.in_hub('elm')), '{"contentMuted": true}', 'a member who came back has the Hub muted');
reset role;
delete from app.hubs where id = tests.id('elm');
select is_empty('select from app.hub_mutes', 'a mute goes with its Hub');

rollback to empty;

-- end_membership: leaves no way back
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.invitation('amara''s', 'elm', 'amara', 'jonas');
select tests.invitation('maya''s', 'elm', 'maya', 'jonas');
select tests.invitation('accepted', 'elm', 'maya', 'jonas', 'accepted');
select tests.invitation('of lena', 'elm', 'amara', 'lena');
select tests.invitation('by jonas', 'elm', 'jonas', 'ann');
select tests.hub('ash', 'lena');
select tests.invitation('to ash', 'ash', 'lena', 'jonas');
select app.end_membership(tests.id('elm'), tests.id('jonas'));

create function pg_temp.invitations(p_state app.invitation_state)
returns setof text
language sql
as $$
  select name
  from unnest(array['amara''s', 'maya''s', 'accepted', 'of lena', 'by jonas', 'to ash']) as name
  join app.hub_invitations as i on i.id = tests.id(name)
  where i.state = p_state
$$;

select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$, array['amara: admin', 'maya: manager', 'jonas: admin'],
  'one membership ends'
);
select bag_eq($$ select pg_temp.invitations('expired') $$, array['amara''s', 'maya''s'], 'their open invitations to this Hub expire');
select bag_eq($$ select pg_temp.invitations('pending') $$, array['of lena', 'by jonas', 'to ash'], 'and nobody else''s, or of other Hubs');
select bag_eq($$ select pg_temp.invitations('accepted') $$, array['accepted'], 'what was over stays as it was');
select is_empty($$ select tests.who_may('select app.end_membership(null, null)') $$, 'moves alone end memberships');

rollback to empty;

-- lock_member: holds the membership
-- Without names in the Hub, whose references would hold their memberships as well.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'jonas');
update app.memberships set seen_at = app.now();
set local session_replication_role = origin;

-- A row that is locked has the transaction in its xmax.
create function pg_temp.held()
returns setof text
language sql
as $$ select p.username collate "default" from app.memberships as m join app.profiles as p using (user_id) where m.xmax::text <> '0' $$;

select is(tests.refusal_of('maya', $$ select app.lock_member(tests.id('elm'), 'manager') $$), null, 'who may passes');
select set_eq('select pg_temp.held()', array['maya'], 'and stays what they are meanwhile');
select is(tests.refusal_of('jonas', $$ select app.lock_member(tests.id('elm'), 'manager') $$), 'PT403 FORBIDDEN', 'who may not is refused');
select is(tests.refusal_of('jonas', $$ select app.lock_member(tests.id('elm')) $$), null, 'a member is enough where nothing is said');
select is(
  tests.refusal_of('lena', $$ select app.lock_member(tests.id('elm'), 'member', 'ITEM_NOT_FOUND') $$), 'PT404 ITEM_NOT_FOUND', 'outsiders are told nothing of items'
);
select results_eq('select count(*) from pg_temp.held()', array[2::bigint], 'one holds one''s own membership of this Hub');

rollback to empty;

-- hub_member: shows a member
select tests.elm();
select tests.asset('hub face', 'maya', 'profile_photo');
insert into app.hub_profiles (user_id, display_name, photo_asset_id) values (tests.id('maya'), 'Mayim', tests.id('hub face'));
update app.memberships set joined_at = app.now() - interval '1 day' where user_id = tests.id('maya');

select tests.authenticate_as('jonas');
select is(
  app.hub_member(person),
  jsonb_build_object(
    'userId', tests.id('maya'), 'displayName', 'Mayim', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('hub face'),
    'username', 'maya', 'phoneNumber', tests.phone_of('maya'), 'role', 'manager', 'joinedAt', app.iso(app.now() - interval '1 day')
  ),
  'with the private profile and the phone'
)
from app.hub_people(tests.id('elm'), tests.ids('maya')) as person;

rollback to empty;

-- hub_people: are for members
select tests.elm();
select tests.authenticate_as('lena');
select is_empty($$ select app.hub_people(tests.id('elm'), tests.ids('amara', 'maya', 'jonas')) $$, 'an outsider is shown nobody');
select tests.authenticate_as('jonas');
select set_eq(
  $$ select user_id from app.hub_people(tests.id('elm'), tests.ids('amara', 'lena', 'unknown')) $$, tests.ids('amara', 'lena'), 'a member whom they ask for'
);
select is_empty($$ select app.hub_people(tests.id('ash'), tests.ids('amara', 'maya', 'jonas')) $$, 'and nobody in a Hub that is none');
reset role;
select tests.hub('ash', 'lena');
select tests.authenticate_as('jonas');
select is_empty($$ select app.hub_people(tests.id('ash'), tests.ids('lena')) $$, 'or another''s');
reset role;
select tests.block('jonas', 'amara');
select tests.authenticate_as('amara');
select is((person).display_name, 'Jonas', 'a block hides nobody') from app.hub_people(tests.id('elm'), tests.ids('jonas')) as person;

rollback to empty;

-- hub_people: are members by their hub profile
select tests.elm();
select tests.asset('public face', 'jonas', 'profile_photo');
select tests.asset('hub face', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('public face') where user_id = tests.id('jonas');

create function pg_temp.maya()
returns setof app.hub_person
language sql
as $$ select person.* from app.hub_people(tests.id('elm'), tests.ids('jonas')) as person $$;

select tests.authenticate_as('maya');
select results_eq(
  'select * from pg_temp.maya()', $$ values (tests.id('jonas'), 'Jonas', null::uuid, 'jonas', tests.phone_of('jonas'), 'member'::app.hub_role, app.now()) $$,
  'until there is one, by the public name, without the public photo'
);
reset role;
insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('jonas'), tests.id('hub face'));
select tests.authenticate_as('maya');
select results_eq(
  'select display_name, photo_asset_id from pg_temp.maya()', $$ values ('Jonas', tests.id('hub face')) $$, 'a private photo may come first'
);
reset role;
update app.hub_profiles set display_name = 'Jon of the trees';
select tests.authenticate_as('maya');
select results_eq(
  'select display_name, photo_asset_id from pg_temp.maya()', $$ values ('Jon of the trees', tests.id('hub face')) $$, 'then both are the private ones'
);
reset role;
select tests.hub('ash', 'jonas');
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('elm');
select tests.authenticate_as('maya');
select results_eq(
  'select * from pg_temp.maya()', $$ values (tests.id('jonas'), 'Jonas', tests.id('public face'), 'jonas', null::text, null::app.hub_role, null::timestamptz) $$,
  'who has left is shown by the public profile and without a phone'
);
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as('maya');
select is_empty('select * from pg_temp.maya()', 'whose account has ended is nobody');

rollback to empty;

-- list_members: has thirty on a page
select tests.elm();
select tests.person('user_' || n, 4) from generate_series(101, 128) as n;
select tests.membership('elm', 'user_' || n, 'manager') from generate_series(101, 128) as n;

create function pg_temp.count_of(p_operation text, p_args jsonb default '{}')
returns integer
language plpgsql
as $$
declare
  v_page jsonb;
begin
  execute format('select api.%I($1)', p_operation) into v_page using tests.in_hub('elm', p_args);
  return jsonb_array_length(v_page -> 'items');
end
$$;

select tests.authenticate_as('jonas');
select is(pg_temp.count_of('list_members'), 30, 'unless another number is asked for');
select is(pg_temp.count_of('list_members', '{"limit": 100}'), 31, 'which may be up to 100');
select is(tests.refusal('list_members', tests.in_hub('elm', '{"limit": 101}')), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('list_members', tests.in_hub('elm', '{"cursor": "?"}')), 'VALIDATION_FAILED', 'behind no foreign cursor');
select is(pg_temp.count_of('list_members', '{"q": "user_1", "limit": 100}'), 28, 'so also of whom one looks for');
select is(tests.refusal('list_members', tests.in_hub('elm', '{"q": "a", "limit": 101}')), 'VALIDATION_FAILED', 'who are 100 at most');
select is(tests.refusal('list_members', tests.in_hub('elm', '{"q": "a", "cursor": "?"}')), 'VALIDATION_FAILED', 'behind no foreign cursor either');
reset role;
select tests.person('user_' || n, 4) from generate_series(129, 131) as n;
select tests.membership('elm', 'user_' || n, 'manager') from generate_series(129, 131) as n;
select tests.authenticate_as('jonas');
select is(pg_temp.count_of('list_members', '{"q": "user_1"}'), 30, 'or 30');
select is(pg_temp.count_of('list_admins'), 30, 'so also of who leads');
select is(pg_temp.count_of('list_admins', '{"limit": 100}'), 33, 'up to 100');

rollback to empty;

-- list_members: is for members
select tests.elm();
select is(tests.refusals('list_members', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'members see each other');
select is(tests.refusals('list_members', tests.in_hub('elm', '{"q": "amara"}')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'and look for each other');
select is(tests.refusals('list_admins', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'and see who leads');
select is(tests.refusals('list_members', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub is nobody');
select is(tests.refusals('list_admins', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'and nobody leads it');

rollback to empty;

-- list_members: is newest first
select tests.elm();
select tests.hub('ash', 'lena');
select tests.membership('ash', 'jonas');
update app.memberships
set joined_at = app.now() - case user_id when tests.id('amara') then interval '2 days' when tests.id('maya') then interval '3 days' else interval '1 day' end
where hub_id = tests.id('elm');

select tests.authenticate_as('jonas');
create temporary table answers as select api.list_members(tests.in_hub('elm')) as page;
select is(tests.listed(page, 'userId'), tests.ids('jonas', 'amara', 'maya'), 'who joined last comes first') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(page #> '{items,0}', app.members_json(tests.id('elm'), tests.ids('jonas')) -> 0, 'as members see each other') from answers;
select is(
  tests.listed_in_parts('list_members', tests.in_hub('elm'), 'userId'), tests.ids('jonas', 'amara', 'maya'), 'or one after the other'
);
select is(tests.listed(api.list_admins(tests.in_hub('elm')), 'userId'), tests.ids('amara', 'maya'), 'admins and managers have a list of their own');
select is(tests.listed_in_parts('list_admins', tests.in_hub('elm'), 'userId'), tests.ids('amara', 'maya'), 'in the same order');
select is(
  tests.listed(api.list_admins(tests.in_hub('elm', '{"q": "maya"}')), 'userId'), tests.ids('amara', 'maya'), 'in which nobody is looked for'
);

rollback to empty;

-- list_members: pages through one moment
select tests.elm();
select tests.without_indexes();
select tests.authenticate_as('jonas');
create temporary table answers as select tests.listed(api.list_members(tests.in_hub('elm')), 'userId') as all_of_them;
select is(all_of_them, array(select m.user_id from app.memberships as m order by m.user_id desc), 'who came at one time') from answers;
select is(tests.listed_in_parts('list_members', tests.in_hub('elm'), 'userId'), all_of_them, 'is on pages as on one') from answers;

rollback to empty;

-- members_json: keep their order
select tests.elm();
select tests.hub('ash', 'lena');

create function pg_temp.listed(variadic p_names text[])
returns uuid[]
language sql
return tests.listed(jsonb_build_object('items', app.members_json(tests.id('elm'), tests.ids(variadic p_names))), 'userId');

select tests.authenticate_as('jonas');
select is(pg_temp.listed('maya', 'jonas', 'amara'), tests.ids('maya', 'jonas', 'amara'), 'as they are given');
select is(pg_temp.listed('amara', 'maya', 'jonas'), tests.ids('amara', 'maya', 'jonas'), 'whatever that is');
select is(pg_temp.listed('unknown', 'amara'), tests.ids('amara'), 'nobody is not listed');
select is(app.members_json(tests.id('elm'), '{}'), '[]', 'nobody is nobody');
select tests.authenticate_as('lena');
select is(pg_temp.listed('amara', 'maya', 'jonas'), '{}', 'to an outsider nobody is listed');

rollback to empty;

-- lock_hub: is held by every move
select tests.elm();
select tests.person('ann', 4);
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.link('door', 'elm');
select tests.join_request('ann asks', 'elm', 'ann');

create function pg_temp.is_locked(p_hub text)
returns boolean
language sql
as $$
  select exists (
    select from pg_locks as l
    where l.locktype = 'advisory' and l.pid = pg_backend_pid()
      and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended('hub ' || tests.id(p_hub), 0)
  )
$$;

create function pg_temp.locks_by(p_caller text, p_statement text)
returns text
language plpgsql
as $$
declare
  v_locked text;
begin
  perform tests.authenticate_as(p_caller);
  execute p_statement;
  raise exception using message = pg_temp.is_locked('elm');
exception when raise_exception then
  return sqlerrm;
end
$$;

select is(pg_temp.locks_by('amara', 'select'), 'f', 'nobody holds the Hub');
select is(pg_temp.locks_by('maya', $$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$), 't', 'who invites does');
select is(pg_temp.locks_by('lena', $$ select app.accept_invitation(tests.id('note')) $$), 't', 'who accepts');
select is(pg_temp.locks_by('lena', $$ select app.decline_invitation(tests.id('note')) $$), 't', 'who declines');
select is(pg_temp.locks_by('lena', $$ select app.request_to_join(tests.hash('door')) $$), 't', 'who asks');
select is(
  pg_temp.locks_by('amara', format('select app.decide_join_request(tests.id(%L), tests.id(%L), %L)', 'elm', 'ann asks', verdict)), 't',
  'who decides: ' || verdict
)
from unnest(array['approved', 'rejected']) as verdict;
select is(pg_temp.locks_by('jonas', $$ select app.leave_hub(tests.id('elm')) $$), 't', 'who leaves');
select is(pg_temp.locks_by('amara', $$ select app.remove_member(tests.id('elm'), tests.id('jonas')) $$), 't', 'who removes');
select is(pg_temp.locks_by('amara', $$ select app.put_role(tests.id('elm'), tests.id('jonas'), 'admin') $$), 't', 'who gives a role');
reset role;
select app.leave_hubs(tests.id('ann'));
select ok(not pg_temp.is_locked('elm'), 'who leaves no Hub holds none');
select app.leave_hubs(tests.id('jonas'));
select ok(pg_temp.is_locked('elm'), 'whose account has ended');
select ok(not pg_temp.is_locked('oak'), 'each Hub by itself');
select is_empty($$ select tests.who_may('select app.lock_hub(null)') $$, 'and nobody without a move');

rollback to empty;

-- member_names: are seen by members
select tests.elm();
select tests.hub('oak', 'lena');

select tests.authenticate_as('jonas');
select bag_eq('select name from app.member_names', array['amara', 'maya', 'jonas'], 'members see what others of their Hub are called');
select tests.authenticate_as('lena');
select bag_eq('select name from app.member_names', array['lena'], 'outsiders do not');
select tests.authenticate_as_guest();
select throws_ok('select from app.member_names', '42501', null, 'nor do guests');
reset role;
select is_empty(
  $$
    select statement
    from unnest(array[
      'insert into app.member_names (hub_id, name, user_id) select tests.id(''elm''), ''somebody'', tests.id(''jonas'')',
      'update app.member_names set name = ''somebody''', 'delete from app.member_names'
    ]) as statement
    where exists (select tests.who_may(statement))
  $$,
  'and nobody writes them'
);
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq('select name from app.member_names', array['amara', 'maya', 'lena'], 'they go with the membership');

rollback to empty;

-- members_called: are found by every word
select tests.named('ada', 'Ada of the Trees');
select tests.named('zoe_77', 'Zoë van der Berg');
select tests.named('bert', 'Gundula Other');
select tests.named('xaver', 'Hans Wurst');
select tests.named('outsider', 'Berta Berg');
select tests.hub('elm', 'ada');
select tests.hub('ash', 'outsider');
select tests.membership('elm', name) from unnest(array['zoe_77', 'bert', 'xaver']) as name;
insert into app.hub_profiles (user_id, display_name) values (tests.id('xaver'), 'Xaver  Bergsteiger');

create function pg_temp.found(p_query text)
returns uuid[]
language sql
return tests.listed(app.members_called(tests.in_hub('elm', jsonb_build_object('q', p_query))), 'userId');

select tests.authenticate_as('ada');
select is(pg_temp.found('ber'), tests.ids('zoe_77', 'xaver', 'bert'), 'in the order of what begins so: berg, bergsteiger, bert');
select is(pg_temp.found(' @VÁN  Der'), tests.ids('zoe_77'), 'from a word on, however it is written');
select is(pg_temp.found('xaver b'), tests.ids('xaver'), 'and however many blanks are between');
select is(pg_temp.found('xaver'), tests.ids('xaver'), 'who is called so twice is found once');
select is(pg_temp.found('hans'), '{}', 'not by the name that the private one stands for');
select is(pg_temp.found('erg'), '{}', 'nor by the inside of a word');
select is(pg_temp.found('%'), '{}', 'nor by a pattern');
select is(pg_temp.found('@'), '{}', 'who looks for nothing finds nobody');
select is(pg_temp.found('berg'), tests.ids('zoe_77', 'xaver'), 'the whole of a word is its beginning');
select tests.authenticate_as('outsider');
select is(pg_temp.found('ber'), '{}', 'an outsider finds nobody');

rollback to empty;

-- members_called: pages
select tests.person(name, 4) from unnest(array['amara', 'lee_2', 'lee_1', 'leeann', 'lee_elsewhere']) as name;
update app.profiles set full_name = 'Lee Lee';
select tests.hub('elm', 'amara');
select tests.hub('ash', 'amara');
select tests.membership('ash', 'lee_elsewhere');
select tests.membership('elm', name) from unnest(array['lee_2', 'lee_1', 'leeann']) as name;
select tests.without_indexes();

create function pg_temp.expected()
returns uuid[]
language sql
as $$ select array(select id from unnest(tests.ids('amara', 'lee_1', 'lee_2', 'leeann')) as id order by id) $$;

select tests.authenticate_as('amara');
select is(
  tests.listed(app.members_called(tests.in_hub('elm', '{"q": "lee"}')), 'userId'), pg_temp.expected(), 'four are called the same, or begin so too'
);
select is(app.members_called(tests.in_hub('elm', '{"q": "lee", "limit": 4}')) ->> 'nextCursor', null, 'all on a page');
select is(
  tests.listed_in_parts('list_members', tests.in_hub('elm', '{"q": "lee"}'), 'userId'), pg_temp.expected(), 'or on one after the other, each once'
);
select is(
  tests.listed_in_parts('list_members', tests.in_hub('elm', '{"q": "lee_"}'), 'userId'), tests.ids('lee_1', 'lee_2'), 'in alphabetical order'
);

rollback to empty;

-- my_hubs: are the callers
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('ash', 'lena');

select tests.authenticate_as('jonas');
select set_eq(
  'select hub_id, role from app.my_hubs',
  $$ values (tests.id('elm'), 'member'::app.hub_role), (tests.id('oak'), 'admin') $$, 'those of which one is a member, and as what'
);
select set_eq('select app.my_hub_ids()', array[tests.id('elm'), tests.id('oak')], 'for the policy of memberships as well');
select tests.authenticate_as_guest();
select throws_ok('select from app.my_hubs', '42501', null, 'a guest has none');
reset role;
select set_eq($$ select tests.who_may('select app.my_hub_ids()') $$, array['authenticated'], 'and asks for none');
select throws_ok($$ set local role authenticated; insert into app.my_hubs values (tests.id('ash'), 'admin') $$, '42501', null, 'nobody gets one by it');

rollback to empty;

-- name_members: names who joins
select tests.elm();
select tests.named('ann', 'Ann Lee');
select tests.hub('oak', 'lena');
select tests.person('outsider', 4);
insert into app.memberships (hub_id, user_id, role)
values (tests.id('elm'), tests.id('ann'), 'member'), (tests.id('oak'), tests.id('ann'), 'member'), (tests.id('oak'), tests.id('jonas'), 'member');
select bag_eq(
  $$ select format('%s %s %s', h.name, p.username, n.name) from app.member_names as n join app.hubs as h on h.id = n.hub_id join app.profiles as p using (user_id) $$,
  array[
    'elm amara amara', 'elm maya maya', 'elm jonas jonas', 'elm ann ann', 'elm ann ann lee', 'elm ann lee',
    'oak lena lena', 'oak ann ann', 'oak ann ann lee', 'oak ann lee', 'oak jonas jonas'
  ],
  'who joins has their names in that Hub'
);
select set_eq(
  $$ select username collate "default" from app.profiles where xmax::text <> '0' $$, array['amara', 'maya', 'jonas', 'lena', 'ann'],
  'and nobody else changes them meanwhile'
);

rollback to empty;

-- names_of: are all that somebody is called
select tests.named('maya', 'Maya  van der Brücke');
select bag_eq(
  $$ select app.names_of(tests.id('maya')) $$,
  array['maya', 'maya van der brucke', 'van der brucke', 'der brucke', 'brucke'], 'the username, and the name from each word on'
);
insert into app.hub_profiles (user_id) values (tests.id('maya'));
select bag_eq(
  $$ select app.names_of(tests.id('maya')) $$,
  array['maya', 'maya van der brucke', 'van der brucke', 'der brucke', 'brucke'], 'as long as that serves in Hubs'
);
update app.hub_profiles set display_name = ' Élan Roy ';
select bag_eq($$ select app.names_of(tests.id('maya')) $$, array['maya', 'elan roy', 'roy'], 'else that by which they appear there, and not the public one');
select tests.named('jonas', 'Jonas');
select bag_eq($$ select app.names_of(tests.id('jonas')) $$, array['jonas'], 'each name once');
select tests.person('nameless', 1);
select is_empty($$ select app.names_of(tests.id('nameless')) $$, 'who has no profile has none');
select tests.named('lena', 'A b a b');
select bag_eq(
  $$ select app.names_of(tests.id('lena')) $$, array['lena', 'a b a b', 'b a b', 'a b', 'b'], 'words keep their order'
);
select tests.named('many', 'a b c d e f g h i j k l');
select results_eq(
  $$ select count(*), min(length(names)) from app.names_of(tests.id('many')) as names where names <> 'many' $$, 'values (10::bigint, 5)', 'from no more than the first ten'
);
select is_empty($$ select tests.who_may('select app.names_of(null)') $$, 'the triggers alone ask');

rollback to empty;

-- refuse_non_member: hides what is not theirs
select tests.elm();
select tests.hub('oak', 'amara');
select tests.close_hub('oak');

create function pg_temp.refusal_of(p_hub text, p_hidden text default null)
returns text
language sql
as $$ select tests.refusal_of('lena', format('select app.require_member(tests.id(%L), %L, %L)', p_hub, 'member', p_hidden)) $$;

select is(pg_temp.refusal_of('elm'), 'PT403 FORBIDDEN', 'an outsider is told that they are one');
select is(pg_temp.refusal_of('elm', 'ITEM_NOT_FOUND'), 'PT404 ITEM_NOT_FOUND', 'or that the item they ask for is not there');
select is(pg_temp.refusal_of('oak'), 'PT404 HUB_NOT_FOUND', 'a closed Hub is not there');
select is(tests.refusal_of('lena', $$ select app.leave_hub(tests.id('oak')) $$), 'PT404 HUB_NOT_FOUND', 'not to moves either, from which no policy hides it');
select is(pg_temp.refusal_of('ash'), 'PT404 HUB_NOT_FOUND', 'nor one that nobody has founded');
select is(pg_temp.refusal_of('ash', 'ITEM_NOT_FOUND'), 'PT404 HUB_NOT_FOUND', 'before any item in it');
select is(tests.refusal_of('lena', 'select app.require_member(null)'), 'PT404 HUB_NOT_FOUND', 'no id is that of a Hub');
select is(
  tests.refusal_of('jonas', $$ select app.require_member(tests.id('elm'), 'admin', 'ITEM_NOT_FOUND') $$), 'PT403 FORBIDDEN',
  'nothing is hidden from a member whose role is too low'
);
select set_eq($$ select tests.who_may('select app.refuse_non_member(null, null)') $$, array['authenticated'], 'operations of members ask');

rollback to empty;

-- rename_member: follows each change
select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.names(p_hub text default 'elm')
returns setof text
language sql
as $$ select n.name collate "default" from app.member_names as n where n.hub_id = tests.id(p_hub) $$;

update app.profiles set username = 'jon' where user_id = tests.id('jonas');
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jonas'], 'another username');
update app.profiles set full_name = 'Jon Bo' where user_id = tests.id('jonas');
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jon bo', 'bo'], 'another name');
select bag_eq($$ select pg_temp.names('oak') $$, array['jon', 'jon bo', 'bo'], 'in each of their Hubs');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jo');
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jo'], 'a name of their own in Hubs');
update app.profiles set full_name = 'Jon Ba' where user_id = tests.id('jonas');
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jo'], 'that hides another public one');
update app.hub_profiles set display_name = 'Joe';
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'joe'], 'another of those');
update app.hub_profiles set display_name = null;
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jon ba', 'ba'], 'none any more');
delete from app.profiles where user_id = tests.id('jonas');
select bag_eq('select pg_temp.names()', array['amara', 'maya'], 'and an account that has ended is called nothing');

rollback to empty;

-- rename_member: holds the profile
-- Without names in the Hub, for which their profiles would have been held.
set local session_replication_role = replica;
select tests.elm();
insert into app.hub_profiles (user_id) values (tests.id('jonas'));
insert into app.member_names (hub_id, name, user_id) values (tests.id('elm'), 'jo', tests.id('jonas')), (tests.id('elm'), 'jonas', tests.id('jonas'));
set local session_replication_role = origin;

create function pg_temp.held()
returns setof uuid
language sql
as $$ select p.user_id from app.profiles as p where p.xmax::text <> '0' $$;

select is_empty('select pg_temp.held()', 'no profile is held');
update app.hub_profiles set display_name = 'Jo';
select set_eq(
  'select pg_temp.held()', array[tests.id('jonas')], 'whoever is called otherwise in Hubs waits for whom makes them a member, or those for them'
);
select set_eq($$ select user_id from app.memberships where xmax::text <> '0' $$, array[tests.id('jonas')], 'and so does whom removes them');

rollback to empty;

-- rename_member: is for outsiders too
select tests.elm();
insert into app.hub_profiles (user_id, display_name) values (tests.id('lena'), 'Lena of the elms');
select tests.authenticate_as('jonas');
update app.profiles set full_name = 'Jonas Bo' where user_id = tests.id('jonas');
reset role;
select bag_eq(
  'select name from app.member_names', array['amara', 'maya', 'jonas', 'jonas bo', 'bo'], 'who is no member has no names in Hubs; who is changes their own'
);
update app.hub_profiles set display_name = null;
select lives_ok($$ delete from app.users where id = tests.id('jonas') $$, 'a user whose row is deleted takes their names along');

rollback to empty;

-- require_hub: is one that is open
select tests.elm();
select tests.hub('ash', 'lena');
select tests.close_hub('ash');
select is(tests.refusal_of('lena', $$ select app.require_hub(tests.id('elm')) $$), null, 'for whoever it is');
select is(tests.refusal_of('lena', $$ select app.require_hub(tests.id('ash')) $$), 'PT404 HUB_NOT_FOUND', 'one that has closed is not there');
select is(tests.refusal_of('lena', $$ select app.require_hub(tests.id('unknown')) $$), 'PT404 HUB_NOT_FOUND', 'nor is one that never was');
select app.set_clock_offset('1 day');
select is(tests.error_of($$ select app.require_hub(tests.id('ash')) $$) ->> 'code', 'HUB_NOT_FOUND', 'past the policies neither');

rollback to empty;

-- require_member: lets pass by role
select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.refusals(p_role app.hub_role)
returns text[]
language sql
as $$
  select array_agg(tests.refusal_of(caller, format('select app.require_member(tests.id(%L), %L)', 'elm', p_role)) order by place)
  from unnest(array['amara', 'maya', 'jonas', 'lena']) with ordinality as actor (caller, place)
$$;

select is(pg_temp.refusals('member'), array[null, null, null, 'PT403 FORBIDDEN'], 'members pass, outsiders do not');
select is(pg_temp.refusals('manager'), array[null, null, 'PT403 FORBIDDEN', 'PT403 FORBIDDEN'], 'where it takes a manager, admins pass as well');
select is(pg_temp.refusals('admin'), array[null, 'PT403 FORBIDDEN', 'PT403 FORBIDDEN', 'PT403 FORBIDDEN'], 'where it takes an admin, nobody else does');
select is(
  tests.refusal_of('jonas', $$ select app.require_member(tests.id('elm')) $$), null, 'a member is enough where nothing is said'
);
select tests.authenticate_as('maya');
select is(app.require_member(tests.id('elm')), 'manager', 'who passes is told their role');
reset role;
select set_eq($$ select tests.who_may('select app.require_member(null)') $$, array['authenticated'], 'operations of members ask');

rollback to empty;

-- require_member: needs level 4
select tests.elm();
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select tests.authenticate_as('jonas');
select is(
  tests.error_of($$ select app.require_member(tests.id('elm')) $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 4, "level": 3, "nextStep": "contacts"}}',
  'a member of a lower level is told what is missing'
);
reset role;
select is(
  tests.refusal_of('jonas', $$ select app.require_member(tests.id('nothing')) $$), 'PT403 FORBIDDEN', 'before what they ask for'
);
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select app.require_member(tests.id('elm')) $$, 'PT401', 'UNAUTHORIZED', 'a session that has ended opens nothing');

rollback to empty;

-- require_member: notes that the hub is used
select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.use(p_caller text, p_role app.hub_role default 'member')
returns text
language sql
as $$ select tests.refusal_of(p_caller, format('select app.require_member(tests.id(%L), %L)', 'elm', p_role)) $$;

create function pg_temp.seen()
returns setof timestamptz
language sql
as $$ select m.seen_at from app.memberships as m where m.seen_at is not null $$;

select pg_temp.use('jonas', 'admin'), pg_temp.use('lena');
select is_empty('select pg_temp.seen()', 'who is refused was not there');
select pg_temp.use('jonas');
select results_eq(
  'select hub_id, user_id, seen_at from app.memberships where seen_at is not null',
  $$ values (tests.id('elm'), tests.id('jonas'), app.now()) $$, 'a member is seen now, in this Hub'
);
select app.set_clock_offset('4 minutes 59 seconds');
select pg_temp.use('jonas');
select results_eq('select pg_temp.seen()', 'values (now())', 'for five minutes');
select app.set_clock_offset('5 minutes');
select pg_temp.use('jonas');
select results_eq('select pg_temp.seen()', $$ values (now() + interval '5 minutes') $$, 'then anew');
select pg_temp.use('maya');
select results_eq(
  $$ select seen_at from app.memberships where user_id in (tests.id('jonas'), tests.id('maya')) and seen_at is not null $$,
  $$ values (now() + interval '5 minutes'), (now() + interval '5 minutes') $$, 'others are seen by themselves'
);
select is((select count(*) from pg_temp.seen()), 2::bigint, 'and nobody else');
select results_eq('select sum(member_count) from app.hub_presence', array[2::bigint], 'each once');
select tests.refusal_of('amara', $$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$);
select is((select count(*) from pg_temp.seen()), 3::bigint, 'nor by moves, which no policy keeps from others''');

rollback to empty;

-- require_no_member: refuses members
select tests.elm();
select set_config('request.jwt.claims', tests.claims('jonas')::text, true);
select throws_ok($$ select app.require_no_member(tests.id('elm')) $$, 'PT409', 'ALREADY_MEMBER', 'a member cannot become one');
select tests.hub('oak', 'lena');
select lives_ok($$ select app.require_no_member(tests.id('oak')) $$, 'but of another Hub');
select set_config('request.jwt.claims', tests.claims('lena')::text, true);
select lives_ok($$ select app.require_no_member(tests.id('elm')) $$, 'who is none passes');
select is_empty($$ select tests.who_may('select app.require_no_member(null)') $$, 'moves alone ask');

rollback to empty;

-- require_other_admin: keeps the last one
select tests.elm();
select tests.hub('oak', 'maya');

create function pg_temp.refusal_of(p_user text)
returns text
language sql
as $$ select tests.error_of(format('select app.require_other_admin(tests.id(%L), tests.id(%L))', 'elm', p_user)) ->> 'code' $$;

select is(
  tests.error_of($$ select app.require_other_admin(tests.id('elm'), tests.id('amara')) $$) ->> 'state', 'PT409', 'the last admin stays one'
);
select is(pg_temp.refusal_of('amara'), 'LAST_ADMIN', 'whoever manages, or is an admin elsewhere');
update app.memberships set role = 'admin' where hub_id = tests.id('elm') and user_id = tests.id('jonas');
select is(pg_temp.refusal_of('amara'), null, 'until there is another');
select is(pg_temp.refusal_of('jonas'), null, 'who then may stop as well');
select is_empty($$ select tests.who_may('select app.require_other_admin(null, null)') $$, 'moves alone ask');

select * from finish();
rollback;
