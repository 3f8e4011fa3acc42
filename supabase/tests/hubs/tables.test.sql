begin;
select plan(119);
savepoint empty;

-- hub_invitations: are seen by whom they concern
select tests.elm();
select tests.person('ann', 4);
select tests.membership('elm', 'ann');
select tests.invitation('by jonas', 'elm', 'jonas', 'lena');
select tests.invitation('by ann', 'elm', 'ann', 'lena');
select tests.invitation('of nobody', 'elm', 'ann', 'somebody');
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');
select tests.invitation('elsewhere', 'oak', 'lena', 'somebody');

create function pg_temp.seen()
returns setof text
language sql
as $$
  select name from unnest(array['by jonas', 'by ann', 'of nobody', 'elsewhere']) as name
  where tests.id(name) in (select i.id from app.hub_invitations as i)
$$;

select tests.authenticate_as('jonas');
select bag_eq('select pg_temp.seen()', array['by jonas'], 'a member sees their own');
select tests.authenticate_as('maya');
select bag_eq('select pg_temp.seen()', array['by jonas', 'by ann', 'of nobody'], 'a manager all of the Hub');
select tests.authenticate_as('amara');
select bag_eq('select pg_temp.seen()', array['by jonas', 'by ann', 'of nobody'], 'so does an admin');
select tests.authenticate_as('lena');
select bag_eq('select pg_temp.seen()', array['by jonas', 'by ann', 'elsewhere'], 'who is invited sees what names their phone');
reset role;
select tests.block('lena', 'jonas');
select tests.block('ann', 'lena');
select tests.authenticate_as('lena');
select bag_eq('select pg_temp.seen()', array['elsewhere'], 'but nothing from whom they have blocked, or who has blocked them');
reset role;
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('elm');
select tests.authenticate_as('jonas');
select is_empty('select pg_temp.seen()', 'who has left sees no longer whom they invited');
select throws_ok('select token_hash from app.hub_invitations', '42501', null, 'nobody sees tokens');
select throws_ok('select makes_member from app.hub_invitations', '42501', null, 'nor what an invitation is worth');
select tests.authenticate_as_guest();
select throws_ok('select id from app.hub_invitations', '42501', null, 'a guest sees none');

rollback to empty;

-- hub_invitations: are written by moves alone
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.authenticate_as('amara');
reset role;
select is_empty(
  $$
    select tests.who_may(
      'insert into app.hub_invitations (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
      values (tests.id(''elm''), tests.id(''amara''), ''+12025550100'', tests.hash(''token''), true, app.now())'
    )
  $$,
  'no role makes an invitation'
);
select is_empty(
  $$
    select attribute from unnest(array['state', 'phone', 'makes_member', 'expires_at', 'token_hash']) as attribute
    where exists (select tests.who_may(format('update app.hub_invitations set %1$I = %1$I', attribute)))
  $$,
  'or changes one'
);
select is_empty($$ select tests.who_may('delete from app.hub_invitations') $$, 'or takes one back');

rollback to empty;

-- hub_invitations: hold to their rules
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');

create function pg_temp.violation(p_change text)
returns text
language sql
as $$ select tests.violation_of('update app.hub_invitations set ' || p_change) $$;

select is(
  tests.violation_of($$ select tests.invitation('other', 'elm', 'amara', 'lena') $$), 'hub_invitations_pending_key',
  'a member invites a phone to a Hub once at a time'
);
select is(tests.violation_of($$ select tests.invitation('other', 'elm', 'amara', 'ann') $$), null, 'others as well');
select is(tests.violation_of($$ select tests.invitation('by maya', 'elm', 'maya', 'lena') $$), null, 'as do others');
select tests.hub('oak', 'amara');
select is(tests.violation_of($$ select tests.invitation('to oak', 'oak', 'amara', 'lena') $$), null, 'and to other Hubs');
select is(
  tests.violation_of($$ select tests.invitation('past', 'elm', 'amara', 'lena', 'declined') $$), null, 'what is over is in nobody''s way'
);
delete from app.hub_invitations where id <> tests.id('note');
select is(
  tests.violation_of($$
    insert into app.hub_invitations (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
    select i.hub_id, tests.id('maya'), i.phone, i.token_hash, false, app.now() from app.hub_invitations as i
  $$),
  'hub_invitations_token_hash_key', 'a token is one invitation''s'
);
select is(pg_temp.violation($$ token_hash = 'short' $$), 'hub_invitations_token_hash_is_sha256', 'and kept as its hash alone');
select is(pg_temp.violation($$ phone = '2025550100' $$), 'hub_invitations_phone_is_e164', 'phones are canonical');
insert into app.hub_invitations (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
values (tests.id('elm'), tests.id('maya'), '+12025550100', tests.hash('token'), false, app.now());
select results_eq(
  $$ select state, created_at from app.hub_invitations where phone = '+12025550100' $$,
  $$ values ('pending'::app.invitation_state, app.now()) $$, 'an invitation begins now, open'
);
select is(
  enum_range(null::app.invitation_state)::text, '{pending,accepted,declined,expired}', 'and becomes one of three things'
);

rollback to empty;

-- hub_mutes: are ones own
select tests.elm();
insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('maya'));
select is(
  tests.refusal_of('jonas', $$ insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), app.user_id()) $$), null,
  'a member mutes a Hub'
);
select is(
  tests.refusal_of('jonas', $$ insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('amara')) $$), '42501',
  'nobody mutes a Hub for somebody else'
);
select is(
  tests.refusal_of('lena', $$ insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), app.user_id()) $$), '42501',
  'a non-member mutes no Hub'
);
select is(tests.refusal_of(null, 'select from app.hub_mutes'), '42501', 'a guest reads no mutes');
select tests.authenticate_as('jonas');
select results_eq('select user_id from app.hub_mutes', array[tests.id('jonas')], 'nobody reads the mutes of others');
delete from app.hub_mutes;
reset role;
select results_eq('select user_id from app.hub_mutes', array[tests.id('maya')], 'nobody deletes the mutes of others');

rollback to empty;

-- hub_presence: is read as a sum
select tests.elm();

select is_empty($$ select tests.who_may('select from app.hub_presence') $$, 'nobody reads who used what but through app.active_users');
select is_empty(
  $$
    select statement
    from unnest(array[
      'insert into app.hub_presence (hub_id, seen_in, member_count) select tests.id(''elm''), app.now(), 1',
      'update app.hub_presence set member_count = 0', 'delete from app.hub_presence'
    ]) as statement
    where exists (select tests.who_may(statement))
  $$,
  'and nobody writes it'
);

rollback to empty;

-- hubs: are changed by their admins
select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.rename_all(p_caller text)
returns text[]
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  update app.hubs set name = p_caller, description = p_caller, custom_link = p_caller;
  perform set_config('role', 'none', true);
  return array(select h.name from app.hubs as h where h.custom_link = p_caller and h.description = p_caller);
end
$$;

select is(pg_temp.rename_all(caller), '{}', caller || ' changes no Hub') from unnest(array['maya', 'jonas']) as caller;
update app.hubs set name = 'elm' where id = tests.id('elm');
select tests.authenticate_as('amara');
update app.hubs set name = 'Elm street';
reset role;
select bag_eq('select name from app.hubs', array['Elm street', 'oak'], 'an admin changes their own');
select throws_ok($$ select tests.authenticate_as_guest(); update app.hubs set name = 'Mine' $$, '42501', null, 'a guest changes none');
reset role;
select is_empty(
  $$
    select attribute
    from unnest(array['id', 'photo_asset_id', 'search_name', 'member_count', 'last_activity_at', 'closed_at']) as attribute
    where tests.refusal_of('amara', format('update app.hubs set %1$I = default where id = tests.id(''elm'')', attribute)) is distinct from '42501'
  $$,
  'and nobody what is not theirs to say'
);

rollback to empty;

-- hubs: are seen while they are open
select tests.elm();
select tests.hub('oak', 'lena');
select tests.close_hub('oak');

select tests.authenticate_as('lena');
select results_eq('select name from app.hubs', array['elm'], 'everybody may see that a Hub is there, until it is closed');
select throws_ok('insert into app.hubs (name) values ($$oak$$)', '42501', null, 'Hubs are made by app.insert_hub alone');
select throws_ok('delete from app.hubs', '42501', null, 'and closed by their last member');
select tests.authenticate_as_guest();
select results_eq('select name from app.hubs', array['elm'], 'a guest sees as much');

rollback to empty;

-- hubs: begin empty
insert into app.hubs (name) values ('Élm');
select results_eq(
  'select description, search_name collate "default", member_count, last_activity_at, closed_at from app.hubs',
  $$ values ('', 'elm', 0, app.now(), null::timestamptz) $$, 'a Hub begins now, without members'
);

rollback to empty;

-- hubs: hold to their rules
select tests.person('amara', 4);
select tests.hub('elm', 'amara');

create function pg_temp.violation(p_change text)
returns text
language sql
as $$ select tests.violation_of(format('update app.hubs set %s where id = tests.id(%L)', p_change, 'elm')) $$;

select is(pg_temp.violation($$ name = 'a' $$), 'hubs_name_length', 'a name has two characters');
select is(pg_temp.violation($$ name = ' a ' $$), 'hubs_name_length', 'that are no blanks');
select is(pg_temp.violation($$ name = 'ab' $$), null, 'at least');
select is(pg_temp.violation($$ name = repeat('é', 80) $$), null, 'and 80');
select is(pg_temp.violation($$ name = repeat('é', 81) $$), 'hubs_name_length', 'at most');
select is(pg_temp.violation($$ description = repeat('é', 500) $$), null, 'a description has up to 500');
select is(pg_temp.violation($$ description = repeat('é', 501) $$), 'hubs_description_length', 'and no more');
select is(pg_temp.violation(format('custom_link = %L', link)), null, 'a custom link may be ' || link)
from unnest(array['elm', 'e-1', repeat('e', 40)]) as link;
select is(pg_temp.violation(format('custom_link = %L', link)), 'hubs_custom_link_is_canonical', 'and may not be "' || link || '"')
from unnest(array['el', repeat('e', 41), 'Elm', 'é-lm', 'elm ', E'elm\n']) as link;
update app.hubs set custom_link = 'elm-street';
select is(
  tests.violation_of($$ insert into app.hubs (name, custom_link) values ('Other', 'elm-street') $$), 'hubs_custom_link_key',
  'a custom link is one Hub''s'
);
select is(pg_temp.violation('closed_at = app.now(), custom_link = null'), 'hubs_closed_are_empty', 'no Hub is closed that has a member');
select is(pg_temp.violation('closed_at = app.now(), member_count = 0'), 'hubs_closed_are_empty', 'and a closed one keeps no custom link');

rollback to empty;

-- hubs: release their photos
select tests.elm();
select tests.hub('oak', 'amara');
select tests.asset(name, 'amara', 'hub_photo') from unnest(array['leaves', 'bark']) as name;
update app.hubs set photo_asset_id = tests.id('leaves');

select is(tests.violation_of('delete from app.assets'), 'hubs_photo_asset_id_fkey', 'no photo goes as long as a Hub shows it');
update app.hubs set photo_asset_id = tests.id('bark') where id = tests.id('elm');
select is_empty('select tests.to_be_removed()', 'one that another Hub shows stays');
delete from app.hubs where id = tests.id('oak');
select set_eq('select tests.to_be_removed()', array[tests.id('leaves')], 'then it goes with that Hub');
update app.hubs set photo_asset_id = null;
select set_eq('select tests.to_be_removed()', array[tests.id('leaves'), tests.id('bark')], 'or where there is none any more');

rollback to empty;

-- invite_links: are made by put invite link
select tests.elm();
select tests.link('door', 'elm');
select tests.authenticate_as('amara');
reset role;
select is_empty(
  $$
    select tests.who_may(
      'insert into app.invite_links (hub_id, token_hash, expires_at) select tests.id(''elm''), tests.hash(''gate''), app.now()'
    )
  $$,
  'no role makes a link past its limits'
);
select is_empty($$ select tests.who_may('update app.invite_links set use_count = 0') $$, 'or changes one');

rollback to empty;

-- invite_links: are of managers
select tests.elm();
select tests.hub('oak', 'lena');
select tests.link('elm door', 'elm');
select tests.link('oak door', 'oak');

create function pg_temp.seen_by(p_caller text)
returns uuid[]
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  return array(select l.id from app.invite_links as l);
end
$$;

select is(pg_temp.seen_by('amara'), array[tests.id('elm door')], 'an admin sees the links of the Hub');
select is(pg_temp.seen_by('maya'), array[tests.id('elm door')], 'so does a manager');
select is(pg_temp.seen_by('jonas'), '{}', 'a member does not');
select is(pg_temp.seen_by('lena'), array[tests.id('oak door')], 'nor does an outsider, whatever they are elsewhere');
select throws_ok('select token_hash from app.invite_links', '42501', null, 'nobody sees tokens');
select throws_ok('update app.invite_links set use_count = 0', '42501', null, 'or changes a link');
select tests.authenticate_as_guest();
select throws_ok('select id from app.invite_links', '42501', null, 'a guest sees none');
select throws_ok('delete from app.invite_links', '42501', null, 'and removes none');

rollback to empty;

-- invite_links: are revoked by managers
select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.left_by(p_caller text)
returns integer
language plpgsql
as $$
begin
  perform tests.link('door', 'elm');
  perform tests.authenticate_as(p_caller);
  delete from app.invite_links;
  perform set_config('role', 'none', true);
  return (select count(*) from app.invite_links);
end
$$;

select tests.link('oak door', 'oak');
select is(pg_temp.left_by('amara'), 1, 'an admin removes links of their Hub');
select is(pg_temp.left_by('maya'), 1, 'a manager too');
select results_eq('select id from app.invite_links', array[tests.id('oak door')], 'and none of another');
select is(pg_temp.left_by('jonas'), 2, 'a member removes none');
delete from app.invite_links;
select is(pg_temp.left_by('lena'), 1, 'nor does an outsider');

rollback to empty;

-- invite_links: hold to their rules
select tests.elm();
insert into app.invite_links (id, hub_id, token_hash, expires_at) values (tests.id('door'), tests.id('elm'), tests.hash('door'), app.now());
select results_eq(
  'select use_count, max_uses, created_at from app.invite_links', 'values (0, null::integer, app.now())', 'a link is not used yet, and not limited'
);

create function pg_temp.violation(p_change text)
returns text
language sql
as $$ select tests.violation_of('update app.invite_links set ' || p_change) $$;

select is(
  tests.violation_of($$ insert into app.invite_links (hub_id, token_hash, expires_at) values (tests.id('elm'), tests.hash('door'), app.now()) $$),
  'invite_links_token_hash_key', 'a token is one link''s'
);
select is(pg_temp.violation($$ token_hash = 'short' $$), 'invite_links_token_hash_is_sha256', 'and kept as its hash alone');
select is(pg_temp.violation('max_uses = 0'), 'invite_links_max_uses_is_within_limit', 'its uses are limited to one');
select is(pg_temp.violation('max_uses = 1'), null, 'at least');
select is(pg_temp.violation('max_uses = 1000'), null, 'to 1,000');
select is(pg_temp.violation('max_uses = 1001'), 'invite_links_max_uses_is_within_limit', 'or not at all');
select is(pg_temp.violation('use_count = -1'), 'invite_links_are_used_within_limit', 'none is used less than never');
select is(pg_temp.violation('use_count = 2, max_uses = 1'), 'invite_links_are_used_within_limit', 'or more than it may be');
select is(pg_temp.violation($$ expires_at = created_at + interval '30 days' $$), null, 'none is open for more than 30 days');
select is(
  pg_temp.violation($$ expires_at = created_at + interval '30 days 1 microsecond' $$), 'invite_links_expire_within_30_days', 'not even a moment'
);
select is(pg_temp.violation('use_count = 2000, max_uses = null'), null, 'but without end where it has none');

rollback to empty;

-- join_requests: are seen by whom they concern
select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');
select tests.join_request('lena asks', 'elm', 'lena');

create function pg_temp.sees(p_caller text)
returns boolean
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  return exists (select from app.join_requests);
end
$$;

select ok(pg_temp.sees('lena'), 'who asks sees it');
select ok(pg_temp.sees('amara'), 'so does an admin');
select ok(pg_temp.sees('maya'), 'and a manager');
select ok(not pg_temp.sees('jonas'), 'a member does not');
select ok(not pg_temp.sees('ann'), 'nor an outsider');
select tests.authenticate_as_guest();
select throws_ok('select from app.join_requests', '42501', null, 'nor a guest');

rollback to empty;

-- join_requests: are written by moves alone
select tests.elm();
select tests.join_request('lena asks', 'elm', 'lena');
select tests.authenticate_as('amara');
reset role;
select is_empty(
  $$ select tests.who_may('insert into app.join_requests (hub_id, user_id, source) select tests.id(''elm''), tests.id(''lena''), ''invite_link''') $$,
  'no role makes a join request'
);
select is_empty($$ select tests.who_may('update app.join_requests set state = ''approved''') $$, 'or decides one');
select is_empty($$ select tests.who_may('delete from app.join_requests') $$, 'or takes one back');

rollback to empty;

-- join_requests: hold to their rules
select tests.elm();
insert into app.join_requests (hub_id, user_id, source) values (tests.id('elm'), tests.id('lena'), 'invite_link');
select results_eq(
  'select state, created_at from app.join_requests', $$ values ('pending_admin_approval'::app.join_request_state, app.now()) $$,
  'a join request begins now, open'
);
select is(tests.violation_of($$ select tests.join_request('again', 'elm', 'lena') $$), 'join_requests_pending_key', 'one asks once at a time');
select is(tests.violation_of($$ select tests.join_request('past', 'elm', 'lena', 'rejected') $$), null, 'what is decided is in nobody''s way');
select tests.hub('oak', 'amara');
select is(tests.violation_of($$ select tests.join_request('other', 'oak', 'lena') $$), null, 'one may ask of other Hubs');
select is(tests.violation_of($$ select tests.join_request('ann asks', 'elm', 'amara') $$), null, 'as may others');

rollback to empty;

-- memberships: are seen by members
select tests.elm();
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');

select tests.authenticate_as('jonas');
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['amara: admin', 'maya: manager', 'jonas: member', 'lena: admin', 'jonas: member'], 'members see who is in their Hubs'
);
select tests.authenticate_as('amara');
select bag_eq(
  $$ select user_id from app.memberships $$, array[tests.id('amara'), tests.id('maya'), tests.id('jonas')], 'and in no others'
);
select tests.authenticate_as('lena');
select is_empty($$ select tests.members('elm') $$, 'an outsider sees nobody');
select tests.authenticate_as_guest();
select throws_ok('select from app.memberships', '42501', null, 'nor does a guest');

rollback to empty;

-- memberships: come and go by moves alone
select tests.elm();

-- As admin, whom every policy would let.
select tests.authenticate_as('amara');
reset role;
select is_empty(
  $$ select tests.who_may('insert into app.memberships (hub_id, user_id, role) select tests.id(''elm''), tests.id(''lena''), ''member''') $$,
  'no role makes anybody a member'
);
select is_empty(
  $$ select tests.who_may('update app.memberships set role = ''admin''') $$, 'or gives them another role'
);
select is_empty($$ select tests.who_may('update app.memberships set user_id = tests.id(''lena'')') $$, 'or passes a membership on');
select is_empty($$ select tests.who_may('update app.memberships set hub_id = tests.id(''oak'')') $$, 'or takes it elsewhere');
select is_empty($$ select tests.who_may('delete from app.memberships') $$, 'or ends it');

create function pg_temp.with_text(p_pattern text)
returns setof text
language sql
as $$ select signature from tests.our_functions where definition ~ p_pattern $$;

-- Whoever adds one says why in its review.
select bag_eq(
  $$ select pg_temp.with_text('insert into app\.memberships') $$, array['app.insert_hub(text,text,text,uuid)', 'app.become_member(uuid,uuid)', 'staff.restore_hub(uuid,text)'],
  'two functions make a member, and one brings those of a suspended Hub back'
);
select bag_eq(
  $$ select pg_temp.with_text('perform app\.become_member') $$,
  array['app.accept_invitation(uuid)', 'app.decide_join_request(uuid,uuid,app.join_request_state)'],
  'and two moves lead to a Hub that is there: an admin''s invitation, and an admin''s approval'
);
select bag_eq(
  $$ select pg_temp.with_text('(delete from app\.memberships|update app\.memberships[^;]* role =)') $$,
  array['app.end_membership(uuid,uuid)', 'app.change_role(uuid,uuid,app.hub_role,uuid)', 'staff.suspend_hub(uuid,text)'],
  'one function ends a membership, one changes the role, one takes those of a Hub aside'
);

rollback to empty;

-- memberships: hold to their rules
select tests.elm();
select is(tests.violation_of($$ select tests.membership('elm', 'jonas', 'manager') $$), 'memberships_pkey', 'one is a member once');
insert into app.memberships (hub_id, user_id, role) values (tests.id('elm'), tests.id('lena'), 'member');
select results_eq(
  $$ select joined_at, seen_at from app.memberships where user_id = tests.id('lena') $$,
  'values (app.now(), null::timestamptz)', 'from now on, and has not used the Hub'
);
select is(enum_range(null::app.hub_role)::text, '{member,manager,admin}', 'whoever comes later may do more');

select * from finish();
rollback;
