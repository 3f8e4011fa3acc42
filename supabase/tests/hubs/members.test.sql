begin;
select plan(167);
savepoint empty;

-- become_member makes a member and settles what was open between user and Hub.
select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');
select tests.invitation('of amara', 'elm', 'amara', 'lena');
select tests.invitation('of maya', 'elm', 'maya', 'lena');
select tests.invitation('declined', 'elm', 'maya', 'lena', 'declined');
select tests.invitation('expired', 'elm', 'jonas', 'lena', 'pending', app.now());
select tests.invitation('for ann', 'elm', 'amara', 'ann');
select tests.invitation('to oak', 'oak', 'ann', 'lena');
select tests.join_request('of lena', 'elm', 'lena');
select tests.join_request('rejected', 'elm', 'lena', 'rejected');
select tests.join_request('of ann', 'elm', 'ann');
select tests.join_request('for oak', 'oak', 'lena');
select app.become_member(tests.id('elm'), tests.id('lena'));

create function pg_temp.invitations(p_state app.invitation_state)
returns setof text
language sql
as $$
  select name
  from unnest(array['of amara', 'of maya', 'declined', 'expired', 'for ann', 'to oak']) as name
  join app.hub_invitations as i on i.id = tests.id(name)
  where i.state = p_state
$$;

create function pg_temp.requests(p_state app.join_request_state)
returns setof text
language sql
as $$
  select name
  from unnest(array['of lena', 'rejected', 'of ann', 'for oak']) as name
  join app.join_requests as r on r.id = tests.id(name)
  where r.state = p_state
$$;

select results_eq(
  $$ select role, joined_at from app.memberships where hub_id = tests.id('elm') and user_id = tests.id('lena') $$,
  $$ values ('member'::app.hub_role, app.now()) $$, 'become_member makes a user a member who joined now'
);
select bag_eq(
  $$ select pg_temp.invitations('accepted') $$, array['of amara', 'of maya'],
  'become_member accepts all pending invitations of the user to the Hub'
);
select bag_eq(
  $$ select pg_temp.invitations('pending') $$, array['expired', 'for ann', 'to oak'],
  'become_member keeps expired invitations, and those of other users or Hubs'
);
select bag_eq(
  $$ select pg_temp.requests('approved') $$, array['of lena'],
  'become_member approves the pending join request of the user for the Hub'
);
select bag_eq(
  $$ select pg_temp.requests('pending_admin_approval') $$, array['of ann', 'for oak'],
  'become_member keeps join requests of other users or for other Hubs'
);
select results_eq(
  'select type, actor_id, subject_id, hub_id from app.events',
  $$ values ('hub_member_joined'::app.event_type, tests.id('lena'), tests.id('lena'), tests.id('elm')) $$,
  'become_member emits an event with member and Hub'
);

rollback to empty;

-- count_members keeps the member count of each Hub.
select tests.person(name, 4) from unnest(array['amara', 'maya', 'jonas']) as name;

create function pg_temp.counts()
returns setof text
language sql
as $$ select format('%s: %s', h.name, h.member_count) from app.hubs as h $$;

select tests.hub('elm', 'amara');
select tests.hub('oak', 'maya');
select tests.hub('ash', 'jonas');
insert into app.memberships (hub_id, user_id, role)
values
  (tests.id('elm'), tests.id('maya'), 'member'), (tests.id('elm'), tests.id('jonas'), 'member'),
  (tests.id('oak'), tests.id('jonas'), 'member');
select set_eq(
  'select pg_temp.counts()', array['elm: 3', 'oak: 2', 'ash: 1'],
  'a statement that inserts several memberships raises each member count'
);
update app.memberships set role = 'manager';
select set_eq('select pg_temp.counts()', array['elm: 3', 'oak: 2', 'ash: 1'], 'a changed role keeps the member count');
delete from app.memberships where user_id in (tests.id('maya'), tests.id('amara'));
select set_eq(
  'select pg_temp.counts()', array['elm: 1', 'oak: 1', 'ash: 1'],
  'a statement that deletes several memberships lowers each member count'
);
select lives_ok($$ delete from app.users where id = tests.id('jonas') $$, 'a user with memberships can be deleted');
select set_eq('select pg_temp.counts()', array['elm: 0', 'oak: 0', 'ash: 0'], 'a deleted user lowers the member counts');

rollback to empty;

-- count_members keeps the presence of each Hub.
select tests.elm();
select tests.hub('oak', 'amara');

create function pg_temp.presence()
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
  where m.hub_id = any (tests.ids(variadic p_hubs)) and m.user_id = any (tests.ids(variadic p_names))
$$;

select is_empty('select from app.hub_presence', 'a Hub has no presence before a member uses it');
select pg_temp.see('12:04:59', '{elm,oak}', 'amara', 'maya');
select set_eq(
  'select pg_temp.presence()', array['elm 12:00: 2', 'oak 12:00: 1'],
  'members count in the slot of five minutes that they were seen in'
);
select pg_temp.see('12:02', '{elm}', 'jonas');
select set_eq(
  'select pg_temp.presence()', array['elm 12:00: 3', 'oak 12:00: 1'], 'a member who is seen later adds to the same slot'
);
select pg_temp.see('12:05', '{elm}', 'maya', 'jonas');
select set_eq(
  'select pg_temp.presence()', array['elm 12:00: 1', 'elm 12:05: 2', 'oak 12:00: 1'],
  'a member counts only in the slot that they were last seen in'
);
delete from app.memberships where user_id = tests.id('maya');
select set_eq(
  'select pg_temp.presence()', array['elm 12:00: 1', 'elm 12:05: 1', 'oak 12:00: 1'],
  'a former member no longer counts in their last slot'
);
delete from app.memberships where user_id = tests.id('amara') and hub_id = tests.id('elm');
select set_eq(
  'select pg_temp.presence()', array['elm 12:05: 1', 'oak 12:00: 1'], 'a former member still counts in the slots of other Hubs'
);
insert into app.memberships (hub_id, user_id, role, seen_at)
values (tests.id('oak'), tests.id('lena'), 'member', '2026-01-01 12:01+00'), (tests.id('oak'), tests.id('jonas'), 'member', null);
select set_eq('select pg_temp.presence()', array['elm 12:05: 1', 'oak 12:00: 2'], 'a new member counts only once they were seen');
select lives_ok('delete from app.hubs', 'a Hub with members can be deleted');
select is_empty('select from app.hub_presence', 'the presence of a Hub goes with the Hub');

rollback to empty;

-- end_membership closes a Hub with its last member.
select tests.elm();
select tests.hub('oak', 'amara');
select tests.hub('ash', 'lena');
delete from app.memberships where hub_id = tests.id('ash');
update app.hubs set custom_link = name || '-street';
select app.end_membership(tests.id('elm'), tests.id(name)) from unnest(array['jonas', 'maya']) as name;
select is_empty('select from app.hubs where closed_at is not null', 'a Hub stays open while it has a member');
select app.end_membership(tests.id('elm'), tests.id('amara'));
select results_eq(
  $$ select closed_at, custom_link collate "default" from app.hubs where id = tests.id('elm') $$, 'values (app.now(), null)',
  'a Hub closes and frees its custom link with the last member'
);
select is_empty(
  $$ select from app.hubs where id <> tests.id('elm') and closed_at is not null $$, 'end_membership closes no other Hub'
);

rollback to empty;

-- end_membership keeps saved discussions and the mute for a return.
select tests.elm();
select tests.post('trams', 'amara');
select tests.placement('trams', 'elm');
insert into app.saved_discussions (user_id, discussion_id) values (tests.id('jonas'), tests.id('trams in elm'));
insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('jonas'));
select app.end_membership(tests.id('elm'), tests.id('jonas'));

select tests.authenticate_as('jonas');
select is(api.list_saved_discussions('{}') -> 'items', '[]', 'a former member does not see a saved discussion of the Hub');
select is(
  tests.error_of($$ select api.get_hub_settings(tests.hub_args('elm')) $$) ->> 'code', 'FORBIDDEN',
  'a former member does not read the mute'
);
select is(tests.error_of('delete from app.hub_mutes'), null, 'a former member gets no error when they delete the mute');
reset role;
select app.become_member(tests.id('elm'), tests.id('jonas'));
select tests.authenticate_as('jonas');
select is(
  api.list_saved_discussions('{}') #>> '{items,0,id}', tests.id('trams in elm')::text,
  'a member who came back sees the saved discussion'
);
select is(api.get_hub_settings(tests.hub_args('elm')), '{"contentMuted": true}', 'a member who came back has the Hub muted');
reset role;
delete from app.hubs where id = tests.id('elm');
select is_empty('select from app.hub_mutes', 'a mute goes with its Hub');

rollback to empty;

-- end_membership expires the former member's open invitations to the Hub.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.invitation('of amara', 'elm', 'amara', 'jonas');
select tests.invitation('of maya', 'elm', 'maya', 'jonas');
select tests.invitation('accepted', 'elm', 'maya', 'jonas', 'accepted');
select tests.invitation('for lena', 'elm', 'amara', 'lena');
select tests.invitation('of jonas', 'elm', 'jonas', 'ann');
select tests.hub('ash', 'lena');
select tests.invitation('to ash', 'ash', 'lena', 'jonas');
select app.end_membership(tests.id('elm'), tests.id('jonas'));

create function pg_temp.invitations(p_state app.invitation_state)
returns setof text
language sql
as $$
  select name
  from unnest(array['of amara', 'of maya', 'accepted', 'for lena', 'of jonas', 'to ash']) as name
  join app.hub_invitations as i on i.id = tests.id(name)
  where i.state = p_state
$$;

select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$, array['amara: admin', 'maya: manager', 'jonas: admin'],
  'end_membership ends one membership of one Hub'
);
select bag_eq(
  $$ select pg_temp.invitations('expired') $$, array['of amara', 'of maya'],
  'end_membership expires all pending invitations of the user to the Hub'
);
select bag_eq(
  $$ select pg_temp.invitations('pending') $$, array['for lena', 'of jonas', 'to ash'],
  'end_membership keeps invitations of other users and to other Hubs'
);
select bag_eq(
  $$ select pg_temp.invitations('accepted') $$, array['accepted'], 'end_membership keeps invitations that were accepted'
);

rollback to empty;

-- lock_member locks the caller's membership.
-- Without member_names, whose foreign key would lock the memberships too.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'jonas');
update app.memberships set seen_at = app.now();
set local session_replication_role = origin;

create function pg_temp.refusal(p_caller text, p_arguments text)
returns text
language sql
as $$ select tests.refusal_as(p_caller, format('select app.lock_member(tests.id(%L)%s)', 'elm', p_arguments)) $$;

-- A locked row has its transaction in xmax.
create function pg_temp.locked_members()
returns setof text
language sql
as $$
  select p.username collate "default" from app.memberships as m join app.profiles as p using (user_id) where m.xmax::text <> '0'
$$;

select is(pg_temp.refusal('maya', $$, 'manager'$$), null, 'lock_member for managers lets a manager pass');
select set_eq('select pg_temp.locked_members()', array['maya'], 'lock_member locks the caller''s membership');
select is(pg_temp.refusal(caller, arguments), expected, title)
from (
  values
    ('jonas', $$, 'manager'$$, 'PT403 FORBIDDEN', 'lock_member for managers refuses a member'),
    ('jonas', '', null, 'lock_member by default lets a member pass'),
    (
      'lena', $$, 'member', 'ITEM_NOT_FOUND'$$, 'PT404 ITEM_NOT_FOUND',
      'lock_member refuses a non-member with the code it is given'
    )
) as c (caller, arguments, expected, title);
select results_eq(
  'select count(*) from pg_temp.locked_members()', array[2::bigint], 'lock_member locks no membership of other users or Hubs'
);

rollback to empty;

-- hub_people shows people to the members of a Hub; hub_member formats a member.
select tests.elm();
select tests.asset('hub face', 'maya', 'profile_photo');
insert into app.hub_profiles (user_id, display_name, photo_asset_id) values (tests.id('maya'), 'Mayim', tests.id('hub face'));
update app.memberships set joined_at = app.now() - interval '1 day' where user_id = tests.id('maya');

select tests.authenticate_as('jonas');
select is(
  app.hub_member(person),
  jsonb_build_object(
    'userId', tests.id('maya'), 'displayName', 'Mayim',
    'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('hub face'),
    'username', 'maya', 'phoneNumber', tests.phone_of('maya'), 'role', 'manager',
    'joinedAt', app.iso(app.now() - interval '1 day')
  ),
  'hub_member shows the Hub profile, phone and role of a member'
)
from app.hub_people(tests.id('elm'), tests.ids('maya')) as person;
select set_eq(
  $$ select user_id from app.hub_people(tests.id('elm'), tests.ids('amara', 'lena', 'unknown')) $$, tests.ids('amara', 'lena'),
  'hub_people shows a member the requested users and omits unknown ones'
);
select is_empty(
  $$ select app.hub_people(tests.id('unknown'), tests.ids('amara', 'maya', 'jonas')) $$,
  'hub_people shows nobody for an unknown Hub'
);
select tests.authenticate_as('lena');
select is_empty(
  $$ select app.hub_people(tests.id('elm'), tests.ids('amara', 'maya', 'jonas')) $$, 'hub_people shows nobody to a non-member'
);
reset role;
select tests.hub('ash', 'lena');
select tests.authenticate_as('jonas');
select is_empty(
  $$ select app.hub_people(tests.id('ash'), tests.ids('lena')) $$, 'hub_people shows nobody to a member of another Hub'
);
reset role;
select tests.block('jonas', 'amara');
select tests.authenticate_as('amara');
select is((person).display_name, 'Jonas', 'hub_people shows a member the other side of a blocked pair')
from app.hub_people(tests.id('elm'), tests.ids('jonas')) as person;

rollback to empty;

-- hub_people shows members by their Hub profile, and others by their public profile.
select tests.elm();
select tests.asset('public face', 'jonas', 'profile_photo');
select tests.asset('hub face', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('public face') where user_id = tests.id('jonas');

create function pg_temp.jonas()
returns setof app.hub_person
language sql
as $$ select person.* from app.hub_people(tests.id('elm'), tests.ids('jonas')) as person $$;

select tests.authenticate_as('maya');
select results_eq(
  'select * from pg_temp.jonas()',
  $$ values (tests.id('jonas'), 'Jonas', null::uuid, 'jonas', tests.phone_of('jonas'), 'member'::app.hub_role, app.now()) $$,
  'hub_people shows a member without Hub profile by the public name without photo'
);
reset role;
insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('jonas'), tests.id('hub face'));
select tests.authenticate_as('maya');
select results_eq(
  'select display_name, photo_asset_id from pg_temp.jonas()', $$ values ('Jonas', tests.id('hub face')) $$,
  'hub_people shows a Hub photo beside the public name'
);
reset role;
update app.hub_profiles set display_name = 'Jon of the trees';
select tests.authenticate_as('maya');
select results_eq(
  'select display_name, photo_asset_id from pg_temp.jonas()', $$ values ('Jon of the trees', tests.id('hub face')) $$,
  'hub_people shows Hub name and Hub photo once both are there'
);
reset role;
select tests.hub('ash', 'jonas');
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('elm');
select tests.authenticate_as('maya');
select results_eq(
  'select * from pg_temp.jonas()',
  $$ values (tests.id('jonas'), 'Jonas', tests.id('public face'), 'jonas', null::text, null::app.hub_role, null::timestamptz) $$,
  'hub_people shows a former member by the public profile without phone'
);
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as('maya');
select is_empty('select * from pg_temp.jonas()', 'hub_people does not show an ended account');

rollback to empty;

-- list_members and list_admins: limits and cursors.
select tests.elm();
select tests.person('user_' || n, 4) from generate_series(101, 128) as n;
select tests.membership('elm', 'user_' || n, 'manager') from generate_series(101, 128) as n;

create function pg_temp.page_size(p_operation text, p_args jsonb)
returns integer
language plpgsql
as $$
declare
  v_page jsonb;
begin
  execute format('select api.%I($1)', p_operation) into v_page using tests.hub_args('elm', p_args);
  return jsonb_array_length(v_page -> 'items');
end
$$;

select tests.authenticate_as('jonas');
select is(pg_temp.page_size('list_members', args), expected, title)
from (
  values
    ('{}'::jsonb, 30, 'list_members returns 30 members by default'),
    ('{"limit": 100}', 31, 'list_members accepts a limit of 100'),
    ('{"q": "user_1", "limit": 100}', 28, 'list_members with a query accepts a limit of 100')
) as c (args, expected, title);
select is(tests.refusal('list_members', tests.hub_args('elm', args)), 'VALIDATION_FAILED', title)
from (
  values
    ('{"limit": 101}'::jsonb, 'list_members refuses a limit of 101'),
    ('{"cursor": "?"}', 'list_members refuses a foreign cursor'),
    ('{"q": "a", "limit": 101}', 'list_members with a query refuses a limit of 101'),
    ('{"q": "a", "cursor": "?"}', 'list_members with a query refuses a foreign cursor')
) as c (args, title);
reset role;
select tests.person('user_' || n, 4) from generate_series(129, 131) as n;
select tests.membership('elm', 'user_' || n, 'manager') from generate_series(129, 131) as n;
select tests.authenticate_as('jonas');
select is(pg_temp.page_size(operation, args), expected, title)
from (
  values
    ('list_members', '{"q": "user_1"}'::jsonb, 30, 'list_members with a query returns 30 members by default'),
    ('list_admins', '{}', 30, 'list_admins returns 30 members by default'),
    ('list_admins', '{"limit": 100}', 33, 'list_admins accepts a limit of 100')
) as c (operation, args, expected, title);

rollback to empty;

-- list_members and list_admins require a membership and list who joined last first.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.membership('ash', 'jonas');
select tests.disable_index_scans();

select is(tests.refusals(operation, tests.hub_args(hub, args)), expected, title)
from (
  values
    (
      'list_members', 'elm', '{}'::jsonb, tests.refusals_below_level_4() || '{"lena": "FORBIDDEN"}',
      'list_members requires level 4 and a membership'
    ),
    (
      'list_members', 'elm', '{"q": "amara"}', tests.refusals_below_level_4() || '{"lena": "FORBIDDEN"}',
      'list_members with a query requires level 4 and a membership'
    ),
    (
      'list_admins', 'elm', '{}', tests.refusals_below_level_4() || '{"lena": "FORBIDDEN"}',
      'list_admins requires level 4 and a membership'
    ),
    (
      'list_members', 'unknown', '{}', tests.refusals_of_all('HUB_NOT_FOUND'),
      'list_members raises HUB_NOT_FOUND for an unknown Hub'
    ),
    (
      'list_admins', 'unknown', '{}', tests.refusals_of_all('HUB_NOT_FOUND'),
      'list_admins raises HUB_NOT_FOUND for an unknown Hub'
    )
) as c (operation, hub, args, expected, title);

select tests.authenticate_as('jonas');
create temporary table answers as select tests.item_ids(api.list_members(tests.hub_args('elm')), 'userId') as ids;
select is(
  ids, array(select m.user_id from app.memberships as m where m.hub_id = tests.id('elm') order by m.user_id desc),
  'list_members sorts members who joined at the same time by id'
)
from answers;
select is(
  tests.item_ids_across_pages('list_members', tests.hub_args('elm'), 'userId'), ids,
  'list_members continues between members who joined at the same time'
)
from answers;
reset role;

update app.memberships
set joined_at = app.now() - case user_id
  when tests.id('amara') then interval '2 days'
  when tests.id('maya') then interval '3 days'
  else interval '1 day'
end
where hub_id = tests.id('elm');
select tests.authenticate_as('jonas');
create temporary table pages as select api.list_members(tests.hub_args('elm')) as page;
select is(
  tests.item_ids(page, 'userId'), tests.ids('jonas', 'amara', 'maya'), 'list_members lists who joined last first'
) from pages;
select is(page ->> 'nextCursor', null, 'list_members returns no cursor on the last page') from pages;
select is(
  page #> '{items,0}', app.members_json(tests.id('elm'), tests.ids('jonas')) -> 0,
  'list_members shows members as members_json does'
)
from pages;
select is(tests.item_ids_across_pages(operation, tests.hub_args('elm'), 'userId'), expected, title)
from (
  values
    ('list_members', tests.ids('jonas', 'amara', 'maya'), 'list_members continues after each member'),
    ('list_admins', tests.ids('amara', 'maya'), 'list_admins continues after each admin')
) as c (operation, expected, title);
select is(tests.item_ids(api.list_admins(tests.hub_args('elm', args)), 'userId'), tests.ids('amara', 'maya'), title)
from (
  values
    ('{}'::jsonb, 'list_admins lists admins and managers, who joined last first'),
    ('{"q": "maya"}', 'list_admins ignores a query for names')
) as c (args, title);

rollback to empty;

-- members_json keeps the given order.
select tests.elm();
select tests.hub('ash', 'lena');

create function pg_temp.listed(variadic p_names text[])
returns uuid[]
language sql
return tests.item_ids(jsonb_build_object('items', app.members_json(tests.id('elm'), tests.ids(variadic p_names))), 'userId');

select tests.authenticate_as('jonas');
select is(pg_temp.listed(variadic given), tests.ids(variadic expected), title)
from (
  values
    (
      array['maya', 'jonas', 'amara'], array['maya', 'jonas', 'amara'], 'members_json lists maya, jonas, amara in the given order'
    ),
    (
      array['amara', 'maya', 'jonas'], array['amara', 'maya', 'jonas'], 'members_json lists amara, maya, jonas in the given order'
    ),
    (array['unknown', 'amara'], array['amara'], 'members_json does not list an unknown user')
) as c (given, expected, title);
select is(app.members_json(tests.id('elm'), '{}'), '[]', 'members_json of nobody is an empty list');
select tests.authenticate_as('lena');
select is(pg_temp.listed('amara', 'maya', 'jonas'), '{}', 'members_json lists nobody to a non-member');

rollback to empty;

-- lock_hub is called by every function that adds, removes or changes members.
select tests.elm();
select tests.person('ann', 4);
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.invite_link('link', 'elm');
select tests.join_request('of ann', 'elm', 'ann');

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

-- The exception undoes the statement and releases its lock.
create function pg_temp.locks_hub(p_caller text, p_statement text)
returns boolean
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  execute p_statement;
  raise exception using message = pg_temp.is_locked('elm');
exception when raise_exception then
  return sqlerrm;
end
$$;

select is(pg_temp.locks_hub(caller, statement), expected, title)
from (
  values
    ('amara', 'select', false, 'a statement that moves no member does not lock the Hub'),
    (
      'maya', $$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$, true,
      'put_invitation locks the Hub of an invitation'
    ),
    ('lena', $$ select app.accept_invitation(tests.id('note')) $$, true, 'accept_invitation locks the Hub of an invitation'),
    ('lena', $$ select api.decline_invitation(jsonb_build_object('invitationId', tests.id('note'))) $$, true, 'decline_invitation locks the Hub of an invitation'),
    ('lena', $$ select api.request_to_join(jsonb_build_object('tokenHash', encode(tests.hash('link'), 'hex'))) $$, true, 'request_to_join locks the Hub of an invite link'),
    (
      'amara', $$ select app.decide_join_request(tests.id('elm'), tests.id('of ann'), 'approved') $$, true,
      'decide_join_request locks the Hub for an approval'
    ),
    (
      'amara', $$ select app.decide_join_request(tests.id('elm'), tests.id('of ann'), 'rejected') $$, true,
      'decide_join_request locks the Hub for a rejection'
    ),
    ('jonas', $$ select api.leave_hub(jsonb_build_object('hubId', tests.id('elm'))) $$, true, 'leave_hub locks the Hub that a member leaves'),
    (
      'amara', $$ select api.remove_member(jsonb_build_object('hubId', tests.id('elm'), 'userId', tests.id('jonas'))) $$, true, 'remove_member locks the Hub of a member'
    ),
    ('amara', $$ select app.put_role(tests.id('elm'), tests.id('jonas'), 'admin') $$, true, 'put_role locks the Hub of a member')
) as c (caller, statement, expected, title);
reset role;
select app.leave_hubs(tests.id('ann'));
select ok(not pg_temp.is_locked('elm'), 'leave_hubs locks no Hub for a user without memberships');
select app.leave_hubs(tests.id('jonas'));
select ok(pg_temp.is_locked('elm'), 'leave_hubs locks the Hub that it ends a membership of');
select ok(not pg_temp.is_locked('oak'), 'lock_hub locks each Hub separately');

rollback to empty;

-- member_names are visible to the members of the Hub.
select tests.elm();
select tests.hub('oak', 'lena');

select tests.authenticate_as('jonas');
select bag_eq('select name from app.member_names', array['amara', 'maya', 'jonas'], 'a member sees the names in their Hubs only');
select tests.authenticate_as('lena');
select bag_eq('select name from app.member_names', array['lena'], 'a non-member sees no names in a Hub');
reset role;
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq(
  'select name from app.member_names', array['amara', 'maya', 'lena'], 'the names of a member go with the membership'
);

rollback to empty;

-- find_members finds members by the beginning of a username or of a word of their name.
select tests.person_named('ada', 'Ada of the Trees');
select tests.person_named('zoe_77', 'Zoë van der Berg');
select tests.person_named('bert', 'Gundula Other');
select tests.person_named('xaver', 'Hans Wurst');
select tests.person_named('berta', 'Berta Berg');
select tests.hub('elm', 'ada');
select tests.hub('ash', 'berta');
select tests.membership('elm', name) from unnest(array['zoe_77', 'bert', 'xaver']) as name;
insert into app.hub_profiles (user_id, display_name) values (tests.id('xaver'), 'Xaver  Bergsteiger');

create function pg_temp.found(p_query text)
returns uuid[]
language sql
return tests.item_ids(app.find_members(tests.hub_args('elm', jsonb_build_object('q', p_query))), 'userId');

select tests.authenticate_as('ada');
select is(pg_temp.found(query), expected, title)
from (
  values
    ('ber', tests.ids('zoe_77', 'xaver', 'bert'), 'find_members sorts berg, bergsteiger and bert by what begins with ber'),
    (' @VÁN  Der', tests.ids('zoe_77'), 'find_members ignores case, accents, a leading @ and extra blanks in the query'),
    ('xaver b', tests.ids('xaver'), 'find_members ignores extra blanks in a name'),
    ('xaver', tests.ids('xaver'), 'find_members finds a member with two matching names once'),
    ('hans', '{}', 'find_members does not find the public name behind a Hub name'),
    ('erg', '{}', 'find_members does not find the middle of a word'),
    ('%', '{}', 'find_members takes a percent sign literally'),
    ('@', '{}', 'find_members finds nobody for a lone @'),
    ('berg', tests.ids('zoe_77', 'xaver'), 'find_members finds a whole word and its longer forms')
) as c (query, expected, title);
select tests.authenticate_as('berta');
select is(pg_temp.found('ber'), '{}', 'find_members finds nobody for a non-member');

rollback to empty;

-- find_members continues after a cursor, without gaps or repeats.
select tests.person(name, 4) from unnest(array['amara', 'lee_2', 'lee_1', 'leeann', 'lee_elsewhere']) as name;
update app.profiles set full_name = 'Lee Lee';
select tests.hub('elm', 'amara');
select tests.hub('ash', 'amara');
select tests.membership('ash', 'lee_elsewhere');
select tests.membership('elm', name) from unnest(array['lee_2', 'lee_1', 'leeann']) as name;
select tests.disable_index_scans();

create function pg_temp.expected()
returns uuid[]
language sql
as $$ select array(select id from unnest(tests.ids('amara', 'lee_1', 'lee_2', 'leeann')) as id order by id) $$;

select tests.authenticate_as('amara');
select is(
  tests.item_ids(app.find_members(tests.hub_args('elm', '{"q": "lee"}')), 'userId'), pg_temp.expected(),
  'find_members sorts members with the same name by id'
);
select is(
  app.find_members(tests.hub_args('elm', '{"q": "lee", "limit": 4}')) ->> 'nextCursor', null,
  'find_members returns no cursor on the last page'
);
select is(tests.item_ids_across_pages('list_members', tests.hub_args('elm', args), 'userId'), expected, title)
from (
  values
    ('{"q": "lee"}'::jsonb, pg_temp.expected(), 'list_members with a query continues between members with the same name'),
    ('{"q": "lee_"}', tests.ids('lee_1', 'lee_2'), 'list_members with a query continues in alphabetical order')
) as c (args, expected, title);

rollback to empty;

-- my_hubs and my_hub_ids hold the Hubs of the caller.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('ash', 'lena');

select tests.authenticate_as('jonas');
select set_eq(
  'select hub_id, role from app.my_hubs',
  $$ values (tests.id('elm'), 'member'::app.hub_role), (tests.id('oak'), 'admin') $$,
  'my_hubs holds the caller''s Hubs with their roles'
);
select set_eq('select app.my_hub_ids()', tests.ids('elm', 'oak'), 'my_hub_ids returns the caller''s Hubs');

rollback to empty;

-- name_members stores the names of new members.
select tests.elm();
select tests.person_named('ann', 'Ann Lee');
select tests.hub('oak', 'lena');
select tests.person('berta', 4);
insert into app.memberships (hub_id, user_id, role)
values
  (tests.id('elm'), tests.id('ann'), 'member'), (tests.id('oak'), tests.id('ann'), 'member'),
  (tests.id('oak'), tests.id('jonas'), 'member');
select bag_eq(
  $$
    select format('%s %s %s', h.name, p.username, n.name)
    from app.member_names as n
    join app.hubs as h on h.id = n.hub_id
    join app.profiles as p using (user_id)
  $$,
  array[
    'elm amara amara', 'elm maya maya', 'elm jonas jonas', 'elm ann ann', 'elm ann ann lee', 'elm ann lee',
    'oak lena lena', 'oak ann ann', 'oak ann ann lee', 'oak ann lee', 'oak jonas jonas'
  ],
  'name_members stores all names of a new member in each Hub'
);
select set_eq(
  $$ select username collate "default" from app.profiles where xmax::text <> '0' $$,
  array['amara', 'maya', 'jonas', 'lena', 'ann'],
  'name_members locks the profiles of new members against a concurrent change of name'
);

rollback to empty;

-- search_names_of returns the username, and the name from each word on.
select tests.person_named('maya', 'Maya  van der Brücke');
select tests.person_named('jonas', 'Jonas');
select tests.person_named('lena', 'A b a b');
select tests.person_named('many', 'a b c d e f g h i j k l');
select tests.person('nameless', 1);

select bag_eq(format('select app.search_names_of(tests.id(%L))', name), expected, title)
from (
  values
    (
      'maya', array['maya', 'maya van der brucke', 'van der brucke', 'der brucke', 'brucke'],
      'search_names_of returns the username and the folded name from each word on'
    ),
    ('jonas', array['jonas'], 'search_names_of returns equal names once'),
    ('nameless', '{}', 'search_names_of returns nothing without a profile'),
    ('lena', array['lena', 'a b a b', 'b a b', 'a b', 'b'], 'search_names_of keeps the order of repeated words')
) as c (name, expected, title);
insert into app.hub_profiles (user_id) values (tests.id('maya'));
select bag_eq(
  $$ select app.search_names_of(tests.id('maya')) $$, array['maya', 'maya van der brucke', 'van der brucke', 'der brucke', 'brucke'],
  'search_names_of returns the public name for a Hub profile without name'
);
update app.hub_profiles set display_name = ' Élan Roy ';
select bag_eq(
  $$ select app.search_names_of(tests.id('maya')) $$, array['maya', 'elan roy', 'roy'],
  'search_names_of returns the Hub name in place of the public name'
);
select results_eq(
  $$ select count(*), min(length(names)) from app.search_names_of(tests.id('many')) as names where names <> 'many' $$,
  'values (10::bigint, 5)', 'search_names_of returns the name from each of its first ten words on'
);

rollback to empty;

-- rename_member follows each change of a member's names.
select tests.elm();
select tests.hub('oak', 'jonas');
insert into app.hub_profiles (user_id, display_name) values (tests.id('lena'), 'Lena of the elms');

create function pg_temp.names(p_hub text default 'elm')
returns setof text
language sql
as $$ select n.name collate "default" from app.member_names as n where n.hub_id = tests.id(p_hub) $$;

update app.profiles set username = 'jon' where user_id = tests.id('jonas');
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jonas'], 'a changed username changes the names in a Hub');
select tests.authenticate_as('jonas');
update app.profiles set full_name = 'Jon Bo' where user_id = tests.id('jonas');
reset role;
select bag_eq(
  'select pg_temp.names()', array['amara', 'maya', 'jon', 'jon bo', 'bo'],
  'a member who changes their full name changes their names in a Hub'
);
select bag_eq(
  $$ select pg_temp.names('oak') $$, array['jon', 'jon bo', 'bo'], 'a changed full name changes the names in each Hub'
);
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jo');
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jo'], 'a new Hub name replaces the public name in a Hub');
update app.profiles set full_name = 'Jon Ba' where user_id = tests.id('jonas');
select bag_eq(
  'select pg_temp.names()', array['amara', 'maya', 'jon', 'jo'], 'a changed full name behind a Hub name changes no name in a Hub'
);
update app.hub_profiles set display_name = 'Joe';
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'joe'], 'a changed Hub name changes the names in a Hub');
update app.hub_profiles set display_name = null;
select bag_eq(
  'select pg_temp.names()', array['amara', 'maya', 'jon', 'jon ba', 'ba'], 'a removed Hub name brings back the public name'
);
delete from app.profiles where user_id = tests.id('jonas');
select bag_eq('select pg_temp.names()', array['amara', 'maya'], 'an ended account has no names in a Hub');
select is_empty(
  $$ select from app.member_names where user_id = tests.id('lena') $$, 'a non-member with a Hub profile has no names in Hubs'
);
select lives_ok($$ delete from app.users where id = tests.id('maya') $$, 'a user with names in a Hub can be deleted');

rollback to empty;

-- rename_member locks profile and memberships.
-- Without member_names of the trigger, which would have locked the profiles before.
set local session_replication_role = replica;
select tests.elm();
insert into app.hub_profiles (user_id) values (tests.id('jonas'));
insert into app.member_names (hub_id, name, user_id)
values (tests.id('elm'), 'jo', tests.id('jonas')), (tests.id('elm'), 'jonas', tests.id('jonas'));
set local session_replication_role = origin;

create function pg_temp.locked_profiles()
returns setof uuid
language sql
as $$ select p.user_id from app.profiles as p where p.xmax::text <> '0' $$;

select is_empty('select pg_temp.locked_profiles()', 'no profile is locked before a change of name');
update app.hub_profiles set display_name = 'Jo';
select set_eq(
  'select pg_temp.locked_profiles()', tests.ids('jonas'), 'rename_member locks the profile against a concurrent new membership'
);
select set_eq(
  $$ select user_id from app.memberships where xmax::text <> '0' $$, tests.ids('jonas'),
  'rename_member locks the memberships against a concurrent removal'
);

rollback to empty;

-- require_hub and refuse_non_member: a closed Hub is not found.
select tests.elm();
select tests.hub('oak', 'amara');
select tests.close_hub('oak');

create function pg_temp.refusal(p_hub text, p_hidden text default null)
returns text
language sql
as $$ select tests.refusal_as('lena', format('select app.require_member(tests.id(%L), %L, %L)', p_hub, 'member', p_hidden)) $$;

select is(tests.refusal_as('lena', format('select app.require_hub(tests.id(%L))', hub)), expected, title)
from (
  values
    ('elm', null, 'require_hub lets a non-member pass'),
    ('oak', 'PT404 HUB_NOT_FOUND', 'require_hub raises HUB_NOT_FOUND for a closed Hub'),
    ('unknown', 'PT404 HUB_NOT_FOUND', 'require_hub raises HUB_NOT_FOUND for an unknown Hub')
) as c (hub, expected, title);
select is(pg_temp.refusal(hub, hidden), expected, title)
from (
  values
    ('elm', null, 'PT403 FORBIDDEN', 'require_member refuses a non-member by default with FORBIDDEN'),
    ('elm', 'ITEM_NOT_FOUND', 'PT404 ITEM_NOT_FOUND', 'require_member refuses a non-member with the code it is given'),
    ('oak', null, 'PT404 HUB_NOT_FOUND', 'require_member raises HUB_NOT_FOUND for a closed Hub'),
    ('unknown', null, 'PT404 HUB_NOT_FOUND', 'require_member raises HUB_NOT_FOUND for an unknown Hub'),
    ('unknown', 'ITEM_NOT_FOUND', 'PT404 HUB_NOT_FOUND', 'require_member raises HUB_NOT_FOUND before the code it is given')
) as c (hub, hidden, expected, title);
select is(tests.refusal_as(caller, statement), expected, title)
from (
  values
    (
      'lena', $$ select api.leave_hub(jsonb_build_object('hubId', tests.id('oak'))) $$, 'PT404 HUB_NOT_FOUND',
      'a function that no policy restricts raises HUB_NOT_FOUND for a closed Hub'
    ),
    ('lena', 'select app.require_member(null)', 'PT404 HUB_NOT_FOUND', 'require_member raises HUB_NOT_FOUND without a Hub'),
    (
      'jonas', $$ select app.require_member(tests.id('elm'), 'admin', 'ITEM_NOT_FOUND') $$, 'PT403 FORBIDDEN',
      'require_member refuses a member of a lower role with FORBIDDEN'
    )
) as c (caller, statement, expected, title);
select app.set_clock_offset('1 day');
select is(
  tests.error_of($$ select app.require_hub(tests.id('oak')) $$) ->> 'code', 'HUB_NOT_FOUND',
  'require_hub raises HUB_NOT_FOUND for a Hub that closed a day ago, where no policy hides it'
);

rollback to empty;

-- require_member requires level 4 and a role; require_no_member requires a non-member.
select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.refusals(p_role app.hub_role)
returns text[]
language sql
as $$
  select array_agg(tests.refusal_as(caller, format('select app.require_member(tests.id(%L), %L)', 'elm', p_role)) order by place)
  from unnest(array['amara', 'maya', 'jonas', 'lena']) with ordinality as given (caller, place)
$$;

select is(pg_temp.refusals(role::app.hub_role), expected, title)
from (
  values
    ('member', array[null, null, null, 'PT403 FORBIDDEN'], 'require_member for members refuses non-members'),
    (
      'manager', array[null, null, 'PT403 FORBIDDEN', 'PT403 FORBIDDEN'],
      'require_member for managers lets managers and admins pass'
    ),
    ('admin', array[null, 'PT403 FORBIDDEN', 'PT403 FORBIDDEN', 'PT403 FORBIDDEN'], 'require_member for admins lets admins pass')
) as c (role, expected, title);
select is(
  tests.refusal_as('jonas', $$ select app.require_member(tests.id('elm')) $$), null,
  'require_member by default lets a member pass'
);
select tests.authenticate_as('maya');
select is(app.require_member(tests.id('elm')), 'manager', 'require_member returns the caller''s role');
reset role;

-- No role executes require_no_member by itself: functions that run as their owner call it.
create function pg_temp.non_member_refusal(p_caller text, p_hub text)
returns jsonb
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', tests.claims(p_caller)::text, true);
  return tests.error_of(format('select app.require_no_member(tests.id(%L))', p_hub)) - 'details';
end
$$;

select is(pg_temp.non_member_refusal(caller, hub), expected, title)
from (
  values
    (
      'jonas', 'elm', '{"state": "PT409", "code": "ALREADY_MEMBER"}'::jsonb,
      'require_no_member refuses a member with ALREADY_MEMBER'
    ),
    ('jonas', 'oak', null, 'require_no_member lets a member of another Hub pass'),
    ('lena', 'elm', null, 'require_no_member lets a non-member pass')
) as c (caller, hub, expected, title);

update app.users set contacts_synced_at = null where id = tests.id('jonas');
select tests.authenticate_as('jonas');
select is(
  tests.error_of($$ select app.require_member(tests.id('elm')) $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 4, "level": 3, "nextStep": "contacts"}}',
  'require_member refuses a member below level 4 with the next step'
);
reset role;
select is(
  tests.refusal_as('jonas', $$ select app.require_member(tests.id('unknown')) $$), 'PT403 FORBIDDEN',
  'require_member checks the level before the Hub'
);
delete from app.sessions;
set local role authenticated;
select throws_ok(
  $$ select app.require_member(tests.id('elm')) $$, 'PT401', 'UNAUTHORIZED', 'require_member refuses a session that has ended'
);

rollback to empty;

-- require_member records that a member used the Hub, at most every five minutes.
select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.use(p_caller text, p_role app.hub_role default 'member')
returns text
language sql
as $$ select tests.refusal_as(p_caller, format('select app.require_member(tests.id(%L), %L)', 'elm', p_role)) $$;

create function pg_temp.seen()
returns setof timestamptz
language sql
as $$ select m.seen_at from app.memberships as m where m.seen_at is not null $$;

select pg_temp.use('jonas', 'admin'), pg_temp.use('lena');
select is_empty('select pg_temp.seen()', 'require_member records no use by a caller that it refuses');
select pg_temp.use('jonas');
select results_eq(
  'select hub_id, user_id, seen_at from app.memberships where seen_at is not null',
  $$ values (tests.id('elm'), tests.id('jonas'), app.now()) $$, 'require_member records a use of one Hub by one member'
);
select app.set_clock_offset('4 minutes 59 seconds');
select pg_temp.use('jonas');
select results_eq('select pg_temp.seen()', 'values (now())', 'require_member records no second use within five minutes');
select app.set_clock_offset('5 minutes');
select pg_temp.use('jonas');
select results_eq(
  'select pg_temp.seen()', $$ values (now() + interval '5 minutes') $$, 'require_member records the next use after five minutes'
);
select pg_temp.use('maya');
select results_eq(
  $$ select seen_at from app.memberships where user_id in (tests.id('jonas'), tests.id('maya')) and seen_at is not null $$,
  $$ values (now() + interval '5 minutes'), (now() + interval '5 minutes') $$,
  'require_member records uses of each member separately'
);
select is((select count(*) from pg_temp.seen()), 2::bigint, 'require_member records no use for other members');
select results_eq(
  'select sum(member_count) from app.hub_presence', array[2::bigint], 'require_member counts each member once in the presence'
);
select tests.refusal_as('amara', $$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$);
select is(
  (select count(*) from pg_temp.seen()), 3::bigint,
  'require_member in a function that no policy restricts records a use by the caller alone'
);

rollback to empty;

-- require_other_admin keeps an admin in a Hub.
select tests.elm();
select tests.hub('oak', 'maya');

create function pg_temp.refusal(p_user text)
returns text
language sql
as $$ select tests.error_of(format('select app.require_other_admin(tests.id(%L), tests.id(%L))', 'elm', p_user)) ->> 'code' $$;

select is(
  tests.error_of($$ select app.require_other_admin(tests.id('elm'), tests.id('amara')) $$) - 'details',
  '{"state": "PT409", "code": "LAST_ADMIN"}', 'require_other_admin refuses the last admin with LAST_ADMIN'
);
update app.memberships set role = 'admin' where hub_id = tests.id('elm') and user_id = tests.id('jonas');
select is(pg_temp.refusal(member), null, title)
from (
  values
    ('amara', 'require_other_admin lets an admin pass once there is another'),
    ('jonas', 'require_other_admin lets the new admin pass beside the first')
) as c (member, title);

select * from finish();
rollback;
