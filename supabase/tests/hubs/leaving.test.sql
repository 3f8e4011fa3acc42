begin;
select plan(36);
savepoint empty;

-- leave_hub ends the caller's membership (docs/product.md H10).
select tests.elm();
select tests.authenticate_as('jonas');
select is(api.leave_hub(tests.hub_args('elm')), '{}', 'leave_hub returns an empty object to a member who leaves');
reset role;
select bag_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager'], 'leave_hub ends the caller''s membership'
);
select is_empty('select tests.events()', 'leave_hub emits no event for other members');
select tests.refusal_as('maya', $$ select api.leave_hub(tests.hub_args('elm')) $$);
select is(
  tests.refusal_as('amara', $$ select api.leave_hub(tests.hub_args('elm')) $$), null,
  'the only admin can leave as the last member'
);

rollback to empty;

-- leave_next_hub ends one membership per call, and leaves an admin behind or closes the Hub.
-- docs/product.md I19, H17
select tests.elm();
select tests.hub('oak', 'amara'), tests.hub('ash', 'lena'), tests.membership('ash', 'amara');
select is(app.leave_next_hub(tests.id('amara')), true, 'leave_next_hub returns true after it ends a membership');
select is(count(*)::integer, 2, 'leave_next_hub ends one of three memberships per call')
from app.memberships where user_id = tests.id('amara');
select results_eq(
  $$ select app.leave_next_hub(tests.id('amara')) from generate_series(1, 3) $$, array[true, true, false],
  'leave_next_hub returns false once no membership is left'
);
select bag_eq(
  $$
    select name || coalesce(' closed ' || (closed_at - app.now()), '')
    from app.hubs
    union all select tests.members('elm')
  $$,
  array['elm', 'oak closed 00:00:00', 'ash', 'maya: admin', 'jonas: member'],
  'leave_next_hub makes another member the admin of a Hub, and closes a Hub without members'
);
select bag_eq(
  $$ select tests.members('ash') $$, array['lena: admin'], 'leave_next_hub changes no role in a Hub with another admin'
);

rollback to empty;

-- prune_hubs deletes expired invitations, invite links and presence.
select tests.elm();
select tests.invitation('expired for 30 days', 'elm', 'amara', 'lena', 'pending', app.now() - interval '30 days');
select tests.invitation(
  'expired', 'elm', 'jonas', 'lena', 'expired', app.now() - interval '30 days' + interval '1 second'
);
select tests.invite_link('expired', 'elm', p_expires_at => app.now());
select tests.invite_link('open', 'elm', p_expires_at => app.now() + interval '1 second');
insert into app.hub_presence (hub_id, seen_in, member_count)
values
  (tests.id('elm'), app.now() - interval '25 hours', 1),
  (tests.id('elm'), app.now() - interval '25 hours' + interval '1 second', 2);
select tests.person(name, 4) from unnest(array['ann', 'ben', 'cleo']) as name;
insert into app.join_requests (id, hub_id, user_id, source, state, created_at, ended_at)
select tests.id(name), tests.id('elm'), tests.id(name), 'invite_link', state::app.join_request_state,
  app.now() - interval '1 year', ended_at
from (
  values
    ('lena', 'rejected', app.now() - interval '1 year'), ('ann', 'withdrawn', app.now() - interval '7 days'),
    ('ben', 'withdrawn', app.now() - interval '7 days' + interval '1 second'), ('cleo', 'pending_admin_approval', null)
) as c (name, state, ended_at);
select app.prune_hubs();

select results_eq(
  'select id from app.hub_invitations', array[tests.id('expired')],
  'prune_hubs deletes invitations 30 days after they expire'
);
select results_eq(
  'select id from app.invite_links', array[tests.id('open')], 'prune_hubs deletes invite links when they expire'
);
select results_eq('select member_count from app.hub_presence', array[2], 'prune_hubs deletes presence after 25 hours');
-- docs/product.md H27
select set_eq(
  'select id from app.join_requests', tests.ids('lena', 'ben', 'cleo'),
  'prune_hubs deletes join requests 7 days after they were withdrawn, and no others'
);

rollback to empty;

-- prune_closed_hubs deletes one batch of the Hub that closed first per run (docs/product.md H16).
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('ash', 'lena');
insert into app.posts (id, author_id, thought_text, visibility)
select tests.id('post ' || n), tests.id('amara'), 'Trams', 'public_hub' from generate_series(1, 1001) as n;
insert into app.placements (post_id, hub_id) select tests.id('post ' || n), tests.id('elm')
from generate_series(1, 1001) as n;
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
insert into app.notifications (event_id, recipient_id, audience, audience_id)
select e.id, tests.id('fan ' || n), 'hub_member', tests.id('elm')
from (select id from app.events where hub_id = tests.id('elm') limit 1) as e
cross join generate_series(1, 5001) as n;
insert into app.notifications (event_id, recipient_id, audience, audience_id)
select id, tests.id('jonas'), 'hub_member', tests.id('oak') from app.events where hub_id = tests.id('oak');
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
select tests.id('post 1'), tests.id('elm'), date_trunc('hour', app.now(), 'UTC') - n * interval '1 hour', '', ''
from generate_series(1, 5001) as n;
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
values (tests.id('post 1'), tests.id('oak'), date_trunc('hour', app.now(), 'UTC'), '', '');
insert into app.vote_pools (post_id, hub_id) select tests.id('post ' || n), tests.id('elm')
from generate_series(1, 1001) as n;
insert into app.vote_pools (post_id, hub_id) values (tests.id('post 1'), tests.id('oak')), (tests.id('post 1'), null);
select tests.close_hub('ash');
select tests.close_hub('elm');
update app.hubs set closed_at = closed_at - interval '1 second' where name = 'elm';

create function pg_temp.rows_after(p_runs integer)
returns setof text
language plpgsql
as $$
begin
  perform app.prune_closed_hubs() from generate_series(1, p_runs);
  return query select format(
    '%s: %s, %s, %s, %s, %s, %s, %s', h.name,
    (select count(*) from app.messages as m join app.discussions as d on d.id = m.discussion_id where d.hub_id = h.id),
    (select count(*) from app.placements as p where p.hub_id = h.id),
    (select count(*) from app.feed_events as f where f.hub_id = h.id),
    (select count(*) from app.notifications as n where n.audience_id = h.id),
    (select count(*) from app.events as e where e.hub_id = h.id),
    (select count(*) from app.pending_totals as t where t.hub_id = h.id),
    (select count(*) from app.vote_pools as v where v.hub_id = h.id)
  )
  from app.hubs as h;
end
$$;

-- Of each Hub: messages, placements, feed events, notifications, events, pending totals, pools. Oak is open.
select bag_eq(
  format('select pg_temp.rows_after(%s)', runs),
  array['elm: ' || elm, 'ash: 0, 0, 0, 0, 0, 0, 0', 'oak: 1, 1, 1, 1, 1, 1, 1'], 'prune_closed_hubs deletes ' || what
)
from (
  values
    (1, '1, 1001, 5001, 5001, 5001, 5001, 1001', '5,000 messages of the Hub that closed first'),
    (2, '0, 1, 5001, 5001, 5001, 5001, 1001', '1,000 placements after the last message'),
    (2, '0, 0, 1, 5001, 5001, 5001, 1001', '5,000 feed events after the last placement'),
    (2, '0, 0, 0, 1, 5001, 5001, 1001', '5,000 notifications after the last feed event'),
    (2, '0, 0, 0, 0, 1, 5001, 1001', '5,000 events after the last notification'),
    (2, '0, 0, 0, 0, 0, 1, 1001', '5,000 pending totals after the last event'),
    (2, '0, 0, 0, 0, 0, 0, 1', '1,000 pools after the last pending total'),
    (1, '0, 0, 0, 0, 0, 0, 0', 'the last pool before the Hub')
) as c (runs, elm, what);
select bag_eq(
  'select pg_temp.rows_after(1)', array['ash: 0, 0, 0, 0, 0, 0, 0', 'oak: 1, 1, 1, 1, 1, 1, 1'],
  'prune_closed_hubs deletes the emptied Hub'
);
select bag_eq(
  'select pg_temp.rows_after(2)', array['oak: 1, 1, 1, 1, 1, 1, 1'],
  'prune_closed_hubs deletes the next closed Hub and keeps an open one'
);
select is(count(*)::integer, 1001, 'prune_closed_hubs keeps the posts of a closed Hub') from app.posts;

rollback to empty;

-- remove_member requires an admin of the Hub, and notifies the removed member (docs/product.md H10, H18).
select tests.elm();
select tests.hub('oak', 'lena'), tests.membership('oak', 'jonas');

create function pg_temp.refusal(p_caller text, p_member text, p_hub text default 'elm')
returns text
language sql
as $$
  select tests.refusal_as(
    p_caller, format('select api.remove_member(%L)', tests.hub_args(p_hub, tests.user_args(p_member)))
  )
$$;

select is(pg_temp.refusal(caller, member, hub), expected, title)
from (
  values
    ('jonas', 'jonas', 'elm', 'PT403 FORBIDDEN', 'a member cannot remove themselves by remove_member'),
    ('lena', 'jonas', 'elm', 'PT404 MEMBER_NOT_FOUND', 'an admin of another Hub finds no member to remove'),
    (
      'amara', 'lena', 'elm', 'PT404 MEMBER_NOT_FOUND',
      'remove_member raises MEMBER_NOT_FOUND for a member of another Hub'
    ),
    ('amara', 'nobody', 'elm', 'PT404 MEMBER_NOT_FOUND', 'remove_member raises MEMBER_NOT_FOUND for an unknown user'),
    ('amara', 'lena', 'oak', 'PT404 MEMBER_NOT_FOUND', 'an admin finds no member of a Hub that they are not in'),
    ('amara', 'amara', 'elm', 'PT409 LAST_ADMIN', 'the last admin cannot remove themselves')
) as c (caller, member, hub, expected, title);
select tests.authenticate_as('amara');
select is(
  api.remove_member(tests.hub_args('elm', tests.user_args('jonas'))), '{}',
  'remove_member returns an empty object to an admin'
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
  'remove_member ends one membership of one Hub, and a refused call none'
);
select tests.membership('elm', 'lena', 'admin');
select is(pg_temp.refusal('amara', 'lena'), null, 'an admin can remove another admin of the Hub');
delete from app.events;
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select pg_temp.refusal('amara', 'amara');
select bag_eq($$ select tests.members('elm') $$, array['maya: admin'], 'one of two admins can remove themselves');
select is_empty('select tests.events()', 'remove_member emits no event when admins remove themselves');

select * from finish();
rollback;
