begin;
select plan(49);
savepoint empty;

-- leave_hub ends the caller's membership, unless others would stay without an admin.
select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.refusal(p_caller text)
returns text
language sql
as $$ select tests.refusal_as(p_caller, 'select api.leave_hub(jsonb_build_object(''hubId'', tests.id(''elm'')))') $$;

select is(tests.refusals('leave_hub', tests.hub_args(hub)), expected, title)
from (
  values
    (
      'elm', tests.refusals_below_level_4() || '{"lena": "FORBIDDEN", "amara": "LAST_ADMIN"}',
      'leave_hub requires level 4 and a membership, and refuses the last admin'
    ),
    ('unknown', tests.refusals_of_all('HUB_NOT_FOUND'), 'leave_hub raises HUB_NOT_FOUND for an unknown Hub')
) as c (hub, expected, title);
select is(pg_temp.refusal(caller), expected, title)
from (
  values
    ('lena', 'PT403 FORBIDDEN', 'a non-member cannot leave a Hub'),
    (null, '42501', 'a guest cannot leave a Hub'),
    ('amara', 'PT409 LAST_ADMIN', 'the last admin cannot leave a Hub with other members')
) as c (caller, expected, title);
select tests.authenticate_as('jonas');
select is(api.leave_hub(tests.hub_args('elm')), '{}', 'leave_hub returns an empty object to a member who leaves');
reset role;
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$, array['amara: admin', 'maya: manager', 'jonas: admin'],
  'leave_hub ends one membership of one Hub'
);
select is_empty('select tests.events()', 'leave_hub emits no event for other members');
select pg_temp.refusal('maya');
select is(pg_temp.refusal('amara'), null, 'the only admin can leave as the last member');

rollback to empty;

-- leave_hubs ends one membership per call.
select tests.elm();
select tests.person('ann', 4);
insert into app.hubs (id, name) select tests.id('hub ' || n), 'hub ' || n from generate_series(1, 2) as n;
insert into app.memberships (hub_id, user_id, role) select h.id, tests.id('ann'), 'member' from app.hubs as h;
select results_eq(
  $$ select app.leave_hubs(tests.id('ann')) $$, array[true], 'leave_hubs returns true after it ends a membership'
);
select is(count(*)::integer, 2, 'leave_hubs ends one of three memberships per call')
from app.memberships where user_id = tests.id('ann');
select results_eq(
  $$ select app.leave_hubs(tests.id('ann')) from generate_series(1, 3) $$, array[true, true, false],
  'leave_hubs returns false once no membership is left'
);
select bag_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'],
  'leave_hubs keeps the other members of a Hub'
);

rollback to empty;

-- leave_hubs leaves an admin behind, or closes the Hub.
select tests.elm();
select tests.hub('oak', 'amara');
select tests.hub('ash', 'lena');
select tests.membership('ash', 'amara');
update app.hubs set custom_link = name || '-street';
select results_eq(
  $$ select app.leave_hubs(tests.id('amara')) from generate_series(1, 4) $$, array[true, true, true, false],
  'leave_hubs ends memberships of admins and members'
);
select bag_eq(
  $$ select tests.members('elm') $$, array['maya: admin', 'jonas: member'],
  'another member becomes admin when leave_hubs removes the only one'
);
select bag_eq($$ select tests.members('ash') $$, array['lena: admin'], 'leave_hubs changes no role in a Hub with another admin');
select results_eq(
  'select name from app.hubs where closed_at is not null', array['oak'], 'leave_hubs closes a Hub when it removes the last member'
);

rollback to empty;

-- prune_hubs deletes expired invitations, invite links and presence.
select tests.elm();
select tests.invitation('expired for 30 days', 'elm', 'amara', 'lena', 'pending', app.now() - interval '30 days');
select tests.invitation('expired', 'elm', 'jonas', 'lena', 'expired', app.now() - interval '30 days' + interval '1 second');
select tests.invite_link('expired', 'elm', p_expires_at => app.now());
select tests.invite_link('open', 'elm', p_expires_at => app.now() + interval '1 second');
insert into app.hub_presence (hub_id, seen_in, member_count)
values
  (tests.id('elm'), app.now() - interval '25 hours', 1),
  (tests.id('elm'), app.now() - interval '25 hours' + interval '1 second', 2);
select tests.join_request('rejected', 'elm', 'lena', 'rejected');
update app.join_requests set created_at = app.now() - interval '1 year';
select app.prune_hubs();

select results_eq(
  'select id from app.hub_invitations', array[tests.id('expired')], 'prune_hubs deletes invitations 30 days after they expire'
);
select results_eq('select id from app.invite_links', array[tests.id('open')], 'prune_hubs deletes invite links when they expire');
select results_eq('select member_count from app.hub_presence', array[2], 'prune_hubs deletes presence after 25 hours');
select isnt_empty('select from app.join_requests', 'prune_hubs keeps old join requests');

rollback to empty;

-- remove_closed_hubs deletes one batch of the Hub that closed first per run.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('ash', 'lena');
insert into app.posts (id, author_id, thought_text, visibility)
select tests.id('post ' || n), tests.id('amara'), 'Trams', 'public_hub' from generate_series(1, 1001) as n;
insert into app.placements (post_id, hub_id) select tests.id('post ' || n), tests.id('elm') from generate_series(1, 1001) as n;
insert into app.placements (post_id, hub_id) values (tests.id('post 1'), tests.id('oak'));
insert into app.messages (discussion_id, hub_id, author_id, body)
select d.id, d.hub_id, tests.id('jonas'), 'here' from app.discussions as d where d.post_id = tests.id('post 1');
insert into app.messages (discussion_id, hub_id, author_id, body)
select d.id, d.hub_id, tests.id('jonas'), 'here'
from app.discussions as d
cross join generate_series(1, 5000)
where d.post_id = tests.id('post 1') and d.hub_id = tests.id('elm');
delete from app.feed_events;
insert into app.feed_events (hub_id, post_id, kind, occurred_at)
select h.id, tests.id('post 1'), 'shared_to_hub', app.now() from app.hubs as h where h.name in ('elm', 'oak');
insert into app.feed_events (hub_id, post_id, kind, occurred_at)
select tests.id('elm'), tests.id('post 1'), 'shared_to_hub', app.now() from generate_series(1, 5000);
delete from app.events;
insert into app.events (type, actor_id, hub_id)
select 'hub_post_created', tests.id('amara'), h.id from app.hubs as h where h.name in ('elm', 'oak');
insert into app.events (type, actor_id, hub_id)
select 'hub_post_created', tests.id('amara'), tests.id('elm') from generate_series(1, 5000);
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 5001) as n;
insert into app.notifications (event_id, recipient_id, audience, scope_id)
select e.id, tests.id('fan ' || n), 'hub_member', tests.id('elm')
from (select id from app.events where hub_id = tests.id('elm') limit 1) as e
cross join generate_series(1, 5001) as n;
insert into app.notifications (event_id, recipient_id, audience, scope_id)
select id, tests.id('jonas'), 'hub_member', tests.id('oak') from app.events where hub_id = tests.id('oak');
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
select tests.id('post 1'), tests.id('elm'), date_trunc('hour', app.now(), 'UTC') - n * interval '1 hour', '', ''
from generate_series(1, 5001) as n;
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
values (tests.id('post 1'), tests.id('oak'), date_trunc('hour', app.now(), 'UTC'), '', '');
select tests.close_hub('ash');
select tests.close_hub('elm');
update app.hubs set closed_at = closed_at - interval '1 second' where name = 'elm';

create function pg_temp.rows_after(p_runs integer)
returns setof text
language plpgsql
as $$
begin
  perform app.remove_closed_hubs() from generate_series(1, p_runs);
  return query select format(
    '%s: %s, %s, %s, %s, %s, %s', h.name,
    (select count(*) from app.messages as m join app.discussions as d on d.id = m.discussion_id where d.hub_id = h.id),
    (select count(*) from app.placements as p where p.hub_id = h.id),
    (select count(*) from app.feed_events as f where f.hub_id = h.id),
    (select count(*) from app.notifications as n where n.scope_id = h.id),
    (select count(*) from app.events as e where e.hub_id = h.id),
    (select count(*) from app.pending_totals as t where t.hub_id = h.id)
  )
  from app.hubs as h;
end
$$;

-- Of each Hub: messages, placements, feed events, notifications, events, pending totals. Oak is open.
select bag_eq(format('select pg_temp.rows_after(%s)', runs), closed || array['oak: 1, 1, 1, 1, 1, 1'], title)
from (
  values
    (
      1, array['elm: 1, 1001, 5001, 5001, 5001, 5001', 'ash: 0, 0, 0, 0, 0, 0'],
      'remove_closed_hubs deletes 5,000 messages of the Hub that closed first'
    ),
    (
      2, array['elm: 0, 1, 5001, 5001, 5001, 5001', 'ash: 0, 0, 0, 0, 0, 0'],
      'remove_closed_hubs deletes 1,000 placements after the last message'
    ),
    (
      2, array['elm: 0, 0, 1, 5001, 5001, 5001', 'ash: 0, 0, 0, 0, 0, 0'],
      'remove_closed_hubs deletes 5,000 feed events after the last placement'
    ),
    (
      2, array['elm: 0, 0, 0, 1, 5001, 5001', 'ash: 0, 0, 0, 0, 0, 0'],
      'remove_closed_hubs deletes 5,000 notifications after the last feed event'
    ),
    (
      2, array['elm: 0, 0, 0, 0, 1, 5001', 'ash: 0, 0, 0, 0, 0, 0'],
      'remove_closed_hubs deletes 5,000 events after the last notification'
    ),
    (
      2, array['elm: 0, 0, 0, 0, 0, 1', 'ash: 0, 0, 0, 0, 0, 0'],
      'remove_closed_hubs deletes 5,000 pending totals after the last event'
    ),
    (
      1, array['elm: 0, 0, 0, 0, 0, 0', 'ash: 0, 0, 0, 0, 0, 0'],
      'remove_closed_hubs deletes the last pending total before the Hub'
    ),
    (1, array['ash: 0, 0, 0, 0, 0, 0'], 'remove_closed_hubs deletes the emptied Hub'),
    (2, '{}', 'remove_closed_hubs deletes the next closed Hub and keeps an open one')
) as c (runs, closed, title);
select is(count(*)::integer, 1001, 'remove_closed_hubs keeps the posts of a closed Hub') from app.posts;

rollback to empty;

-- remove_member requires an admin of the Hub, and notifies the removed member.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');

create function pg_temp.refusal(p_caller text, p_member text)
returns text
language sql
as $$
  select tests.refusal_as(
    p_caller, format('select api.remove_member(jsonb_build_object(''hubId'', tests.id(''elm''), ''userId'', tests.id(%L)))', p_member)
  )
$$;

select is(tests.refusals('remove_member', tests.hub_args(hub, tests.user_args(member))), expected, title)
from (
  values
    (
      'elm', 'jonas', tests.refusals_below_admin('MEMBER_NOT_FOUND', 'FORBIDDEN'),
      'only an admin removes a member, and a non-member gets MEMBER_NOT_FOUND'
    ),
    (
      'elm', 'amara', tests.refusals_below_admin('MEMBER_NOT_FOUND', 'FORBIDDEN') || '{"amara": "LAST_ADMIN"}',
      'remove_member refuses to remove the last admin'
    ),
    ('unknown', 'jonas', tests.refusals_of_all('HUB_NOT_FOUND'), 'remove_member raises HUB_NOT_FOUND for an unknown Hub')
) as c (hub, member, expected, title);
select is(pg_temp.refusal(caller, member), expected, title)
from (
  values
    ('maya', 'jonas', 'PT403 FORBIDDEN', 'a manager cannot remove a member'),
    ('jonas', 'jonas', 'PT403 FORBIDDEN', 'a member cannot remove themselves by remove_member'),
    ('lena', 'jonas', 'PT404 MEMBER_NOT_FOUND', 'an admin of another Hub finds no member to remove'),
    (null, 'jonas', '42501', 'a guest cannot remove a member'),
    ('amara', 'lena', 'PT404 MEMBER_NOT_FOUND', 'remove_member raises MEMBER_NOT_FOUND for a member of another Hub'),
    ('amara', 'nobody', 'PT404 MEMBER_NOT_FOUND', 'remove_member raises MEMBER_NOT_FOUND for an unknown user'),
    ('amara', 'amara', 'PT409 LAST_ADMIN', 'the last admin cannot remove themselves')
) as c (caller, member, expected, title);
select is(
  tests.refusal_as('amara', $$ select api.remove_member(tests.hub_args('oak', tests.user_args('lena'))) $$),
  'PT404 MEMBER_NOT_FOUND',
  'an admin finds no member of a Hub that they are not in'
);
select bag_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'],
  'a refused remove_member keeps all members'
);

select tests.authenticate_as('amara');
select is(
  api.remove_member(tests.hub_args('elm', tests.user_args('jonas'))), '{}', 'remove_member returns an empty object to an admin'
);
reset role;
select results_eq(
  'select type, actor_id, subject_id, hub_id from app.events',
  $$ values ('hub_member_removed'::app.event_type, tests.id('amara'), tests.id('jonas'), tests.id('elm')) $$,
  'remove_member emits an event with admin, member and Hub'
);
select bag_eq(
  $$ select hub || ' ' || tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['elm amara: admin', 'elm maya: manager', 'oak lena: admin', 'oak jonas: member'],
  'remove_member ends one membership of one Hub'
);
select tests.person('ann', 4);
select tests.membership('elm', 'ann', 'admin');
select is(pg_temp.refusal('amara', 'ann'), null, 'an admin can remove another admin of the Hub');
delete from app.events;
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select pg_temp.refusal('amara', 'amara');
select bag_eq($$ select tests.members('elm') $$, array['maya: admin'], 'one of two admins can remove themselves');
select is_empty('select tests.events()', 'remove_member emits no event when admins remove themselves');

select * from finish();
rollback;
