begin;
select plan(120);
savepoint empty;

-- count_members keeps the member count of each Hub.
select tests.person(name, 4) from unnest(array['amara', 'maya', 'jonas']) as name;
select tests.hub('elm', 'amara'), tests.hub('oak', 'maya'), tests.hub('ash', 'jonas');

create function pg_temp.counts_after(p_change text)
returns text[]
language plpgsql
as $$
begin
  execute p_change;
  return array(select format('%s: %s', h.name, h.member_count) from app.hubs as h order by h.name);
end
$$;

select is(pg_temp.counts_after(change), expected::text[], title)
from (
  values
    (
      $$
        insert into app.memberships (hub_id, user_id, role)
        select tests.id(hub), tests.id(name), 'member'
        from (values ('elm', 'maya'), ('elm', 'jonas'), ('oak', 'jonas')) as joined (hub, name)
      $$,
      '{"ash: 1","elm: 3","oak: 2"}', 'a statement that inserts several memberships raises each member count'
    ),
    (
      $$ update app.memberships set role = 'manager' $$, '{"ash: 1","elm: 3","oak: 2"}',
      'a changed role keeps the member count'
    ),
    (
      $$ delete from app.memberships where user_id in (tests.id('maya'), tests.id('amara')) $$,
      '{"ash: 1","elm: 1","oak: 1"}',
      'a statement that deletes several memberships lowers each member count'
    ),
    (
      $$ delete from app.users where id = tests.id('jonas') $$, '{"ash: 0","elm: 0","oak: 0"}',
      'a deleted user lowers the member counts'
    )
) as c (change, expected, title);

rollback to empty;

-- count_members keeps the presence of each Hub.
select tests.elm();
select tests.hub('oak', 'amara');

create function pg_temp.presence_after(p_change text)
returns text[]
language plpgsql
as $$
begin
  execute p_change;
  return array(
    select format('%s %s: %s', h.name, to_char(p.seen_in at time zone 'UTC', 'HH24:MI'), sum(p.member_count))
    from app.hub_presence as p
    join app.hubs as h on h.id = p.hub_id
    group by h.name, p.seen_in
    having sum(p.member_count) <> 0
    order by h.name, p.seen_in
  );
end
$$;

create function pg_temp.see(p_time text, p_hubs text[], variadic p_names text[])
returns void
language sql
as $$
  update app.memberships as m
  set seen_at = ('2026-01-01 ' || p_time || '+00')::timestamptz
  where m.hub_id = any (tests.ids(variadic p_hubs)) and m.user_id = any (tests.ids(variadic p_names))
$$;

select is(pg_temp.presence_after(change), expected::text[], title)
from (
  values
    ('select', '{}', 'a Hub has no presence before a member uses it'),
    (
      $$ select pg_temp.see('12:04:59', '{elm,oak}', 'amara', 'maya') $$, '{"elm 12:00: 2","oak 12:00: 1"}',
      'members count in the slot of five minutes that they were seen in'
    ),
    (
      $$ select pg_temp.see('12:02', '{elm}', 'jonas') $$, '{"elm 12:00: 3","oak 12:00: 1"}',
      'a member who is seen later adds to the same slot'
    ),
    (
      $$ select pg_temp.see('12:05', '{elm}', 'maya', 'jonas') $$, '{"elm 12:00: 1","elm 12:05: 2","oak 12:00: 1"}',
      'a member counts only in the slot that they were last seen in'
    ),
    (
      $$ delete from app.memberships where user_id = tests.id('maya') $$,
      '{"elm 12:00: 1","elm 12:05: 1","oak 12:00: 1"}',
      'a former member no longer counts in their last slot'
    ),
    (
      $$ delete from app.memberships where user_id = tests.id('amara') and hub_id = tests.id('elm') $$,
      '{"elm 12:05: 1","oak 12:00: 1"}', 'a former member still counts in the slots of other Hubs'
    ),
    (
      $$
        insert into app.memberships (hub_id, user_id, role, seen_at)
        select tests.id('oak'), tests.id(name), 'member', seen_at
        from (values ('lena', timestamptz '2026-01-01 12:01+00'), ('jonas', null)) as joined (name, seen_at)
      $$,
      '{"elm 12:05: 1","oak 12:00: 2"}', 'a new member counts only once they were seen'
    )
) as c (change, expected, title);
select lives_ok('delete from app.hubs', 'a Hub with members can be deleted');
select is_empty('select from app.hub_presence', 'the presence of a Hub goes with the Hub');

rollback to empty;

-- delete_memberships closes a Hub with its last member (docs/product.md H16).
select tests.elm();
select tests.hub('oak', 'amara'), tests.hub('ash', 'lena');
delete from app.memberships where hub_id = tests.id('ash');
update app.hubs set custom_link = name || '-street';

create function pg_temp.closed_after_leave(variadic p_names text[])
returns setof text
language sql
as $$
  select app.delete_memberships(tests.id('elm'), tests.id(name)) from unnest(p_names) as name;
  select h.name from app.hubs as h where h.closed_at = app.now() and h.custom_link is null
$$;

select is_empty($$ select pg_temp.closed_after_leave('jonas', 'maya') $$, 'a Hub stays open while it has a member');
select results_eq(
  $$ select pg_temp.closed_after_leave('amara') $$, array['elm'],
  'a Hub closes and frees its custom link with the last member, and no other Hub does'
);

rollback to empty;

-- delete_memberships keeps saved discussions and the mute for a return (docs/product.md H25).
select tests.elm();
select tests.discussion('trams', 'amara', 'elm');
insert into app.saved_discussions (user_id, discussion_id) values (tests.id('jonas'), tests.id('trams in elm'));
insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('jonas'));
select app.delete_memberships(tests.id('elm'), tests.id('jonas'));

select tests.authenticate_as('jonas');
select is(
  api.list_saved_discussions('{}') -> 'items', '[]', 'a former member does not see a saved discussion of the Hub'
);
delete from app.hub_mutes;
reset role;
select app.become_member(tests.id('elm'), tests.id('jonas'));
select tests.authenticate_as('jonas');
select is(
  api.list_saved_discussions('{}') #>> '{items,0,id}', tests.id('trams in elm')::text,
  'a member who came back sees the saved discussion'
);
select is(
  api.get_hub_settings(tests.hub_args('elm')), '{"contentMuted": true}',
  'a member who came back has the Hub muted, and could not delete the mute before'
);

rollback to empty;

-- delete_memberships expires the former member's open invitations to the Hub (docs/product.md H15).
select tests.elm();
select tests.hub('oak', 'jonas'), tests.hub('ash', 'lena');
select tests.invitation('of amara', 'elm', 'amara', 'jonas'), tests.invitation('of maya', 'elm', 'maya', 'jonas');
select tests.invitation('used', 'elm', 'maya', 'jonas', 'accepted'),
  tests.invitation('for lena', 'elm', 'amara', 'lena');
select tests.invitation('of jonas', 'elm', 'jonas', 'ann'), tests.invitation('to ash', 'ash', 'lena', 'jonas');
select app.delete_memberships(tests.id('elm'), tests.id('jonas'));
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['amara: admin', 'maya: manager', 'jonas: admin'],
  'delete_memberships ends one membership of one Hub'
);
select bag_eq(
  $$ select tests.states('of amara', 'of maya', 'used', 'for lena', 'of jonas', 'to ash') $$,
  array[
    'of amara: expired', 'of maya: expired', 'used: accepted', 'for lena: pending', 'of jonas: pending',
    'to ash: pending'
  ],
  'delete_memberships expires pending invitations of the user to the Hub, and no others'
);

rollback to empty;

-- lock_member locks the caller's membership.
-- Without member_names, whose foreign key would lock the memberships too.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'jonas');
update app.memberships set seen_at = app.now();
set local session_replication_role = origin;

-- A locked row has its transaction in xmax.
create function pg_temp.refusal_and_locked(p_caller text, p_arguments text)
returns text[]
language sql
as $$
  select tests.refusal_as(p_caller, format('select app.lock_member(tests.id(%L)%s)', 'elm', p_arguments)) || array(
    select p.username::text
    from app.memberships as m
    join app.profiles as p using (user_id)
    where m.xmax::text <> '0'
    order by 1
  )
$$;

select is(pg_temp.refusal_and_locked(caller, arguments), expected, title)
from (
  values
    (
      'lena', $$, 'member', 'ITEM_NOT_FOUND'$$, array['PT404 ITEM_NOT_FOUND'],
      'lock_member refuses a non-member by the given code'
    ),
    ('maya', $$, 'manager'$$, array[null, 'maya'], 'lock_member for managers locks the membership of a manager'),
    ('jonas', '', array[null, 'jonas', 'maya'], 'lock_member locks a member''s membership of this Hub only'),
    ('jonas', $$, 'manager'$$, array['PT403 FORBIDDEN', 'jonas', 'maya'], 'lock_member for managers refuses a member')
) as c (caller, arguments, expected, title);

rollback to empty;

-- hub_people shows people to the members of a Hub; hub_member formats a member (docs/product.md P12, P20).
-- docs/product.md H23
select tests.elm();
select tests.hub('ash', 'lena');
select tests.asset('hub face', 'maya', 'profile_photo');
insert into app.hub_profiles (user_id, display_name, photo_asset_id)
values (tests.id('maya'), 'Mayim', tests.id('hub face'));
update app.memberships set joined_at = app.now() - interval '1 day' where user_id = tests.id('maya');
select tests.block('jonas', 'amara');

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
reset role;

create function pg_temp.seen_by(p_caller text, p_hub text, variadic p_names text[])
returns setof text
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  return query select person.username from app.hub_people(tests.id(p_hub), tests.ids(variadic p_names)) as person;
  perform set_config('role', 'none', true);
end
$$;

select is(array(select pg_temp.seen_by(caller, hub, variadic names) as name order by name), expected, title)
from (
  values
    (
      'jonas', 'elm', '{amara,lena,unknown}'::text[], '{amara,lena}'::text[],
      'hub_people shows a member the requested users, a blocked one too, and omits unknown ones'
    ),
    ('amara', 'elm', '{jonas}', '{jonas}', 'hub_people shows a blocked member the user who blocked them'),
    ('jonas', 'unknown', '{amara,jonas}', '{}', 'hub_people shows nobody for an unknown Hub'),
    ('lena', 'elm', '{amara,jonas}', '{}', 'hub_people shows nobody to a non-member'),
    ('jonas', 'ash', '{lena}', '{}', 'hub_people shows nobody to a member of another Hub')
) as c (caller, hub, names, expected, title);

rollback to empty;

-- hub_people shows members by their Hub profile, and others by their public profile (docs/product.md P12).
select tests.elm();
select tests.asset(name, 'jonas', 'profile_photo') from unnest(array['public face', 'hub face']) as name;
update app.profiles set photo_asset_id = tests.id('public face') where user_id = tests.id('jonas');

create function pg_temp.jonas_after(p_change text)
returns setof app.hub_person
language plpgsql
as $$
begin
  execute p_change;
  perform tests.authenticate_as('maya');
  return query select person.* from app.hub_people(tests.id('elm'), tests.ids('jonas')) as person;
  perform set_config('role', 'none', true);
end
$$;

create function pg_temp.person(p_name text, p_photo text, p_phone text, p_role app.hub_role, p_joined_at timestamptz)
returns app.hub_person
language sql
return (tests.id('jonas'), p_name, tests.id(p_photo), 'jonas', p_phone, p_role, p_joined_at)::app.hub_person;

select is((select person from pg_temp.jonas_after(change) as person), expected, title)
from (
  values
    (
      'select', pg_temp.person('Jonas', null, tests.phone_of('jonas'), 'member', app.now()),
      'hub_people shows a member without Hub profile by the public name without photo'
    ),
    (
      $$ insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('jonas'), tests.id('hub face')) $$,
      pg_temp.person('Jonas', 'hub face', tests.phone_of('jonas'), 'member', app.now()),
      'hub_people shows a Hub photo beside the public name'
    ),
    (
      $$ update app.hub_profiles set display_name = 'Jon of the trees' $$,
      pg_temp.person('Jon of the trees', 'hub face', tests.phone_of('jonas'), 'member', app.now()),
      'hub_people shows Hub name and Hub photo once both are there'
    ),
    (
      $$
        select tests.hub('ash', 'jonas');
        delete from app.memberships where hub_id = tests.id('elm') and user_id = tests.id('jonas')
      $$,
      pg_temp.person('Jonas', 'public face', null, null, null),
      'hub_people shows a former member by the public profile without phone'
    ),
    (
      $$ delete from app.profiles where user_id = tests.id('jonas') $$, null,
      'hub_people does not show an ended account'
    )
) as c (change, expected, title);

rollback to empty;

-- list_members and list_admins show members.
select tests.elm();
select tests.authenticate_as('jonas');
select is(
  page -> 'items', app.members_json(tests.id('elm'), tests.item_ids(page, 'userId')),
  'list_members shows members as members_json does'
)
from api.list_members(tests.hub_args('elm')) as page;
select is(tests.usernames(api.list_admins(tests.hub_args('elm', args))) @> '{amara,maya}', true, title)
from (
  values
    ('{}'::jsonb, 'list_admins lists admins and managers'), ('{"q": "maya"}', 'list_admins ignores a query for names')
) as c (args, title);
select is(
  cardinality(tests.usernames(api.list_admins(tests.hub_args('elm')))), 2, 'list_admins lists no plain members'
);

create function pg_temp.listed(variadic p_names text[])
returns uuid[]
language sql
return tests.item_ids(
  jsonb_build_object('items', app.members_json(tests.id('elm'), tests.ids(variadic p_names))), 'userId'
);

select is(
  pg_temp.listed(variadic given), tests.ids(variadic expected),
  format('members_json lists %s in the given order', given)
)
from (
  values
    (array['maya', 'jonas', 'amara'], array['maya', 'jonas', 'amara']),
    (array['amara', 'maya', 'jonas'], array['amara', 'maya', 'jonas']),
    (array['unknown', 'lena', 'amara'], array['amara'])
) as c (given, expected);
select is(app.members_json(tests.id('elm'), '{}'), '[]', 'members_json of nobody is an empty list');

rollback to empty;

-- lock_hub is called by every function that adds, removes or changes members.
select tests.elm();
select tests.person('ann', 4);
select tests.invitation('note', 'elm', 'amara', 'lena'), tests.invite_link('link', 'elm');
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

-- The exception undoes the call and releases its lock.
create function pg_temp.locks_hub(p_caller text, p_call text)
returns boolean
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  execute 'select ' || p_call;
  raise exception using message = pg_temp.is_locked('elm');
exception when raise_exception then
  return sqlerrm;
end
$$;

select is(pg_temp.locks_hub(caller, call), call <> '1', format('select %s locks the Hub if it moves a member', call))
from (
  values
    ('amara', '1'),
    ('maya', $$app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token'))$$),
    ('lena', $$app.accept_invitation(tests.id('note'))$$),
    ('lena', $$api.decline_invitation(jsonb_build_object('invitationId', tests.id('note')))$$),
    ('lena', $$api.request_to_join(jsonb_build_object('tokenHash', tests.hash_hex('link')))$$),
    ('amara', $$app.decide_join_request(tests.id('elm'), tests.id('of ann'), 'approved')$$),
    ('amara', $$app.decide_join_request(tests.id('elm'), tests.id('of ann'), 'rejected')$$),
    ('jonas', $$api.leave_hub(tests.hub_args('elm'))$$),
    ('amara', $$api.remove_member(tests.hub_args('elm', tests.user_args('jonas')))$$),
    ('amara', $$app.set_role(tests.id('elm'), tests.id('jonas'), 'admin')$$)
) as c (caller, call);
reset role;
select app.leave_next_hub(tests.id('ann'));
select ok(not pg_temp.is_locked('elm'), 'leave_next_hub locks no Hub for a user without memberships');
select app.leave_next_hub(tests.id('jonas'));
select ok(
  pg_temp.is_locked('elm') and not pg_temp.is_locked('oak'),
  'leave_next_hub locks the Hub that it ends a membership of, and no other'
);

rollback to empty;

-- find_members finds members by the beginning of a username or of a word of their name (docs/product.md H23).
select tests.person_named(username, full_name)
from (
  values
    ('ada', 'Ada of the Trees'), ('zoe_77', 'Zoë van der Berg'), ('bert', 'Gundula Other'), ('xaver', 'Hans Wurst'),
    ('berta', 'Berta Berg')
) as person (username, full_name);
select tests.hub('elm', 'ada'), tests.hub('ash', 'berta');
select tests.membership('elm', name) from unnest(array['zoe_77', 'bert', 'xaver']) as name;
insert into app.hub_profiles (user_id, display_name) values (tests.id('xaver'), 'Xaver  Bergsteiger');

create function pg_temp.found(p_query text)
returns text[]
language sql
return tests.usernames(app.find_members(tests.hub_args('elm', jsonb_build_object('q', p_query))));

select tests.authenticate_as('ada');
select is(pg_temp.found(query), expected::text[], title)
from (
  values
    ('ber', '{zoe_77,xaver,bert}', 'find_members sorts berg, bergsteiger and bert by what begins with ber'),
    (' @VÁN  Der', '{zoe_77}', 'find_members ignores case, accents, a leading @ and extra blanks in the query'),
    ('xaver b', '{xaver}', 'find_members ignores extra blanks in a name'),
    ('xaver', '{xaver}', 'find_members finds a member with two matching names once'),
    ('hans', '{}', 'find_members does not find the public name behind a Hub name'),
    ('erg', '{}', 'find_members does not find the middle of a word'),
    ('%', '{}', 'find_members takes a percent sign literally'),
    ('@', '{}', 'find_members finds nobody for a lone @'),
    ('berg', '{zoe_77,xaver}', 'find_members finds a whole word and its longer forms')
) as c (query, expected, title);
select bag_eq(
  'select distinct user_id from app.member_names', tests.ids('ada', 'zoe_77', 'bert', 'xaver'),
  'a member sees the names in their Hubs only'
);
select tests.authenticate_as('berta');
select is(pg_temp.found('ber'), '{}', 'find_members finds nobody for a non-member');

rollback to empty;

-- find_members continues after a cursor, without gaps or repeats.
select tests.person(name, 4) from unnest(array['amara', 'lee_2', 'lee_1', 'leeann', 'lee_elsewhere']) as name;
update app.profiles set full_name = 'Lee Lee';
select tests.hub('elm', 'amara'), tests.hub('ash', 'amara');
select tests.membership('ash', 'lee_elsewhere');
select tests.membership('elm', name) from unnest(array['lee_2', 'lee_1', 'leeann']) as name;
select tests.disable_index_scans();

create function pg_temp.by_id()
returns uuid[]
language sql
as $$ select array(select id from unnest(tests.ids('amara', 'lee_1', 'lee_2', 'leeann')) as id order by id) $$;

select tests.authenticate_as('amara');
select is(
  app.find_members(tests.hub_args('elm', '{"q": "lee", "limit": 4}')) ->> 'nextCursor', null,
  'find_members returns no cursor on the last page'
);
select is(tests.item_ids_across_pages('list_members', tests.hub_args('elm', args), 'userId'), expected, title)
from (
  values
    (
      '{"q": "lee"}'::jsonb, pg_temp.by_id(), 'list_members with a query pages through members with the same name by id'
    ),
    ('{"q": "lee_"}', tests.ids('lee_1', 'lee_2'), 'list_members with a query continues in alphabetical order')
) as c (args, expected, title);

rollback to empty;

-- my_hubs holds the Hubs of the caller.
select tests.elm();
select tests.hub('oak', 'jonas'), tests.hub('ash', 'lena');
select tests.authenticate_as('jonas');
select set_eq(
  'select hub_id, role from app.my_hubs',
  $$ values (tests.id('elm'), 'member'::app.hub_role), (tests.id('oak'), 'admin') $$,
  'my_hubs holds the caller''s Hubs with their roles'
);

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
select tests.person_named(username, full_name)
from (
  values
    ('maya', 'Maya  van der Brücke'), ('jonas', 'Jonas'), ('lena', 'A b a b'), ('many', 'a b c d e f g h i j k l'),
    ('zoe', 'Zoe'), ('elan', 'Hidden')
) as person (username, full_name);
select tests.person('nameless', 1);
insert into app.hub_profiles (user_id, display_name) values (tests.id('zoe'), null), (tests.id('elan'), ' Élan Roy ');

select bag_eq(format('select app.search_names_of(tests.id(%L))', name), expected, title)
from (
  values
    (
      'maya', array['maya', 'maya van der brucke', 'van der brucke', 'der brucke', 'brucke'],
      'search_names_of returns the username and the folded name from each word on'
    ),
    ('jonas', array['jonas'], 'search_names_of returns equal names once'),
    ('nameless', '{}', 'search_names_of returns nothing without a profile'),
    ('lena', array['lena', 'a b a b', 'b a b', 'a b', 'b'], 'search_names_of keeps the order of repeated words'),
    ('zoe', array['zoe'], 'search_names_of returns the public name for a Hub profile without name'),
    ('elan', array['elan', 'elan roy', 'roy'], 'search_names_of returns the Hub name in place of the public name')
) as c (name, expected, title);
select results_eq(
  $$ select count(*), min(length(names)) from app.search_names_of(tests.id('many')) as names where names <> 'many' $$,
  'values (10::bigint, 5)', 'search_names_of returns the name from each of its first ten words on'
);

rollback to empty;

-- rename_member follows each change of a member's names.
select tests.elm();
select tests.hub('oak', 'jonas');
insert into app.hub_profiles (user_id, display_name) values (tests.id('lena'), 'Lena of the elms');

create function pg_temp.names_after(p_change text)
returns text[]
language plpgsql
as $$
begin
  execute p_change;
  return array(
    select format('%s: %s', h.name, string_agg(n.name, ', ' order by n.name))
    from app.member_names as n
    join app.hubs as h on h.id = n.hub_id
    group by h.name
    order by h.name
  );
end
$$;

select is(pg_temp.names_after(change), expected::text[], title)
from (
  values
    (
      $$ update app.profiles set username = 'jon' where user_id = tests.id('jonas') $$,
      '{"elm: amara, jon, jonas, maya","oak: jon, jonas"}', 'a changed username changes the names in each Hub'
    ),
    (
      $$
        select tests.authenticate_as('jonas');
        update app.profiles set full_name = 'Jon Bo' where user_id = tests.id('jonas');
        reset role
      $$,
      '{"elm: amara, bo, jon, jon bo, maya","oak: bo, jon, jon bo"}',
      'a member who changes their full name changes their names in each Hub'
    ),
    (
      $$ insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jo') $$,
      '{"elm: amara, jo, jon, maya","oak: jo, jon"}', 'a new Hub name replaces the public name in a Hub'
    ),
    (
      $$ update app.profiles set full_name = 'Jon Ba' where user_id = tests.id('jonas') $$,
      '{"elm: amara, jo, jon, maya","oak: jo, jon"}', 'a changed full name behind a Hub name changes no name in a Hub'
    ),
    (
      $$ update app.hub_profiles set display_name = 'Joe' $$, '{"elm: amara, joe, jon, maya","oak: joe, jon"}',
      'a changed Hub name changes the names in a Hub'
    ),
    (
      'update app.hub_profiles set display_name = null', '{"elm: amara, ba, jon, jon ba, maya","oak: ba, jon, jon ba"}',
      'a removed Hub name brings back the public name'
    ),
    (
      $$ delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('oak') $$,
      '{"elm: amara, ba, jon, jon ba, maya"}', 'the names of a member go with the membership'
    ),
    (
      $$ delete from app.profiles where user_id = tests.id('jonas') $$, '{"elm: amara, maya"}',
      'an ended account has no names in a Hub'
    ),
    (
      $$ delete from app.users where id = tests.id('maya') $$, '{"elm: amara"}',
      'a user with names in a Hub can be deleted'
    )
) as c (change, expected, title);

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
  'select pg_temp.locked_profiles()', tests.ids('jonas'),
  'rename_member locks the profile against a concurrent new membership'
);
select set_eq(
  $$ select user_id from app.memberships where xmax::text <> '0' $$, tests.ids('jonas'),
  'rename_member locks the memberships against a concurrent removal'
);

rollback to empty;

-- require_hub finds open Hubs; require_member refuses non-members of them.
select tests.elm();
select tests.hub('oak', 'amara');
select tests.close_hub('oak');

select is(
  tests.refusal_as(caller, format('select app.require_%s', call)), expected,
  format('require_%s raises %s for %s', call, coalesce(expected, 'nothing'), caller)
)
from (
  values
    ('lena', $$hub(tests.id('elm'))$$, null),
    ('lena', $$hub(tests.id('oak'))$$, 'PT404 HUB_NOT_FOUND'),
    ('lena', $$hub(tests.id('unknown'))$$, 'PT404 HUB_NOT_FOUND'),
    ('lena', $$member(tests.id('elm'))$$, 'PT403 FORBIDDEN'),
    ('lena', $$member(tests.id('elm'), 'member', 'ITEM_NOT_FOUND')$$, 'PT404 ITEM_NOT_FOUND'),
    ('lena', $$member(tests.id('oak'))$$, 'PT404 HUB_NOT_FOUND'),
    ('lena', $$member(tests.id('unknown'), 'member', 'ITEM_NOT_FOUND')$$, 'PT404 HUB_NOT_FOUND'),
    ('lena', 'member(null)', 'PT404 HUB_NOT_FOUND'),
    ('jonas', $$member(tests.id('elm'), 'admin', 'ITEM_NOT_FOUND')$$, 'PT403 FORBIDDEN')
) as c (caller, call, expected);
select is(
  tests.refusal_as('lena', $$ select api.leave_hub(tests.hub_args('oak')) $$), 'PT404 HUB_NOT_FOUND',
  'a function that no policy restricts raises HUB_NOT_FOUND for a closed Hub'
);
reset role;
select app.set_clock_offset('1 day');
select is(
  tests.error_of($$ select app.require_hub(tests.id('oak')) $$) ->> 'code', 'HUB_NOT_FOUND',
  'require_hub raises HUB_NOT_FOUND for a Hub that closed a day ago, where no policy hides it'
);

rollback to empty;

-- require_member requires level 4 and a role; require_no_member requires a non-member.
select tests.elm();
select tests.hub('oak', 'lena');

select is(
  array(
    select caller from unnest(array['amara', 'maya', 'jonas', 'lena']) with ordinality as given (caller, place)
    where tests.refusal_as(caller, format('select app.require_member(tests.id(%L)%s)', 'elm', role)) is null
    order by place
  ),
  expected::text[], title
)
from (
  values
    (', ''member''', '{amara,maya,jonas}', 'require_member for members refuses non-members'),
    (', ''manager''', '{amara,maya}', 'require_member for managers lets managers and admins pass'),
    (', ''admin''', '{amara}', 'require_member for admins lets admins pass'),
    ('', '{amara,maya,jonas}', 'require_member by default lets members pass')
) as c (role, expected, title);
select tests.authenticate_as('maya');
select is(app.require_member(tests.id('elm')), 'manager', 'require_member returns the caller''s role');
reset role;

-- No role executes require_no_member by itself: functions that run as their owner call it.
create function pg_temp.non_member_refusal(p_caller text, p_hub text)
returns text
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', tests.claims(p_caller)::text, true);
  return tests.error_of(format('select app.require_no_member(tests.id(%L))', p_hub)) ->> 'code';
end
$$;

select is(
  array[
    pg_temp.non_member_refusal('jonas', 'elm'), pg_temp.non_member_refusal('jonas', 'oak'),
    pg_temp.non_member_refusal('lena', 'elm')
  ],
  array['ALREADY_MEMBER', null, null], 'require_no_member refuses members of this Hub alone with ALREADY_MEMBER'
);

update app.users set contacts_synced_at = null where id = tests.id('jonas');
select tests.authenticate_as('jonas');
select is(
  tests.error_of(format('select app.require_member(tests.id(%L))', hub)),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 4, "level": 3, "nextStep": "contacts"}}',
  format('require_member refuses a user below level 4 with the next step before it looks for the Hub %s', hub)
)
from unnest(array['elm', 'unknown']) as hub;
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok(
  $$ select app.require_member(tests.id('elm')) $$, 'PT401', 'UNAUTHORIZED',
  'require_member refuses a session that has ended'
);

rollback to empty;

-- require_member records that a member used the Hub, at most every five minutes.
select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.seen_after(p_caller text, p_call text default 'require_member(tests.id(''elm''))')
returns text[]
language sql
as $$
  select tests.refusal_as(p_caller, 'select app.' || p_call);
  select array(
    select format('%s in %s +%s', p.username, h.name, m.seen_at - now())
    from app.memberships as m
    join app.profiles as p using (user_id)
    join app.hubs as h on h.id = m.hub_id
    where m.seen_at is not null
    order by 1
  )
$$;

select is(
  pg_temp.seen_after('jonas', $$require_member(tests.id('elm'), 'admin')$$) || pg_temp.seen_after('lena'), '{}',
  'require_member records no use for callers whom it refuses'
);
select is(
  pg_temp.seen_after('jonas'), '{jonas in elm +00:00:00}', 'require_member records a use of one Hub by one member'
);
select app.set_clock_offset('4 minutes 59 seconds');
select is(
  pg_temp.seen_after('jonas'), '{jonas in elm +00:00:00}', 'require_member records no second use within five minutes'
);
select app.set_clock_offset('5 minutes');
select is(
  pg_temp.seen_after('jonas'), '{jonas in elm +00:05:00}', 'require_member records the next use after five minutes'
);
select is(
  pg_temp.seen_after('maya'), '{jonas in elm +00:05:00,maya in elm +00:05:00}',
  'require_member records uses of each member separately'
);
select results_eq(
  'select sum(member_count) from app.hub_presence', array[2::bigint],
  'require_member counts each member once in the presence'
);
select is(
  pg_temp.seen_after('amara', $$put_invitation(tests.id('elm'), '+12025550100', tests.hash('token'))$$),
  '{amara in elm +00:05:00,jonas in elm +00:05:00,maya in elm +00:05:00}',
  'require_member in a function that no policy restricts records a use by the caller alone'
);

rollback to empty;

-- require_other_admin keeps an admin in a Hub.
select tests.elm();
select tests.hub('oak', 'maya');

create function pg_temp.refusals()
returns text[]
language sql
as $$
  select array_agg(
    tests.error_of(format('select app.require_other_admin(tests.id(%L), tests.id(%L))', 'elm', name)) ->> 'code'
  )
  from unnest(array['amara', 'jonas']) as name
$$;

select is(pg_temp.refusals(), array['LAST_ADMIN', null], 'require_other_admin refuses the last admin with LAST_ADMIN');
update app.memberships set role = 'admin' where hub_id = tests.id('elm') and user_id = tests.id('jonas');
select is(pg_temp.refusals(), array[null, null]::text[], 'require_other_admin lets each of two admins pass');

select * from finish();
rollback;
