begin;
select plan(58);
savepoint empty;

-- leave_hub: ends ones own membership
select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.refusal_of(p_caller text, p_hub text default 'elm')
returns text
language sql
as $$ select tests.refusal_of(p_caller, format('select app.leave_hub(tests.id(%L))', p_hub)) $$;

select is(pg_temp.refusal_of('lena'), 'PT403 FORBIDDEN', 'who is no member cannot leave');
select is(pg_temp.refusal_of(null), '42501', 'nor can a guest');
select is(pg_temp.refusal_of('amara'), 'PT409 LAST_ADMIN', 'nor the last admin');
select is(pg_temp.refusal_of('jonas'), null, 'who is one can');
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$, array['amara: admin', 'maya: manager', 'jonas: admin'],
  'this Hub, and no other'
);
select is_empty('select tests.events()', 'nobody is told');
select pg_temp.refusal_of('maya');
select is(pg_temp.refusal_of('amara'), null, 'the last member may be an admin');
select set_eq($$ select tests.who_may('select app.leave_hub(null)') $$, array['authenticated'], 'who has a session may try');

rollback to empty;

-- leave_hub: is for members
select tests.elm();
select is(
  tests.refusals('leave_hub', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN", "amara": "LAST_ADMIN"}', 'but for the last admin'
);
select is(tests.refusals('leave_hub', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'of a Hub that is there');
select tests.authenticate_as('jonas');
select is(api.leave_hub(tests.in_hub('elm')), '{}', 'it answers nothing');
reset role;
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager'], 'who leaves is none any more');

rollback to empty;

-- leave_hubs: goes part by part
select tests.elm();
select tests.person('ann', 4);
insert into app.hubs (id, name) select tests.id('hub ' || n), 'hub ' || n from generate_series(1, 2) as n;
insert into app.memberships (hub_id, user_id, role) select h.id, tests.id('ann'), 'member' from app.hubs as h;
select results_eq($$ select app.leave_hubs(tests.id('ann')) $$, array[true], 'a member of three Hubs leaves one');
select is(count(*)::integer, 2, 'the other two memberships stay') from app.memberships where user_id = tests.id('ann');
select results_eq(
  $$ select app.leave_hubs(tests.id('ann')) from generate_series(1, 3) $$, array[true, true, false], 'the last call finds no membership'
);
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'the other members stay');
select is_empty($$ select tests.who_may('select app.leave_hubs(null)') $$, 'no role leaves Hubs for others by itself');

rollback to empty;

-- leave_hubs: leaves an admin behind
select tests.elm();
select tests.hub('oak', 'amara');
select tests.hub('ash', 'lena');
select tests.membership('ash', 'amara');
update app.hubs set custom_link = name || '-street';
select results_eq(
  $$ select app.leave_hubs(tests.id('amara')) from generate_series(1, 4) $$, array[true, true, true, false], 'an ended account leaves all its Hubs'
);
select bag_eq($$ select tests.members('elm') $$, array['maya: admin', 'jonas: member'], 'where it was the only admin another member becomes one');
select bag_eq($$ select tests.members('ash') $$, array['lena: admin'], 'where there is one all stay what they are');
select results_eq('select name from app.hubs where closed_at is not null', array['oak'], 'where nobody else is, the Hub closes');

rollback to empty;

-- prune_hubs: forgets what is over
select tests.elm();
select tests.invitation('expired for long', 'elm', 'amara', 'lena', 'pending', app.now() - interval '30 days');
select tests.invitation('expired', 'elm', 'jonas', 'lena', 'expired', app.now() - interval '30 days' + interval '1 second');
select tests.link('over', 'elm', p_expires_at => app.now());
select tests.link('open', 'elm', p_expires_at => app.now() + interval '1 second');
insert into app.hub_presence (hub_id, seen_in, member_count)
values
  (tests.id('elm'), app.now() - interval '25 hours', 1), (tests.id('elm'), app.now() - interval '25 hours' + interval '1 second', 2);
select tests.join_request('rejected', 'elm', 'lena', 'rejected');
update app.join_requests set created_at = app.now() - interval '1 year';
select app.prune_hubs();

select results_eq('select id from app.hub_invitations', array[tests.id('expired')], 'invitations go 30 days after they have expired');
select results_eq('select id from app.invite_links', array[tests.id('open')], 'invite links at once');
select results_eq('select member_count from app.hub_presence', array[2], 'presence after a day and an hour');
select isnt_empty('select from app.join_requests', 'what was asked stays');
select set_eq($$ select tests.who_may('select app.prune_hubs()') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- remove_closed_hubs: goes part by part
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
insert into app.events (type, actor_id, hub_id) select 'hub_post_created', tests.id('amara'), h.id from app.hubs as h where h.name in ('elm', 'oak');
insert into app.events (type, actor_id, hub_id) select 'hub_post_created', tests.id('amara'), tests.id('elm') from generate_series(1, 5000);
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 5001) as n;
insert into app.notifications (event_id, recipient_id, audience, scope_id)
select e.id, tests.id('fan ' || n), 'hub_member', tests.id('elm')
from (select id from app.events where hub_id = tests.id('elm') limit 1) as e
cross join generate_series(1, 5001) as n;
insert into app.notifications (event_id, recipient_id, audience, scope_id)
select id, tests.id('jonas'), 'hub_member', tests.id('oak') from app.events where hub_id = tests.id('oak');
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
select tests.id('post 1'), tests.id('elm'), date_trunc('hour', app.now(), 'UTC') - n * interval '1 hour', '', '' from generate_series(1, 5001) as n;
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed) values (tests.id('post 1'), tests.id('oak'), date_trunc('hour', app.now(), 'UTC'), '', '');
select tests.close_hub('ash');
select tests.close_hub('elm');
update app.hubs set closed_at = closed_at - interval '1 second' where name = 'elm';

create function pg_temp.left_over(p_parts integer)
returns setof text
language plpgsql
as $$
begin
  perform app.remove_closed_hubs() from generate_series(1, p_parts);
  return query select format(
    '%s: %s, %s, %s, %s, %s, %s', h.name,
    (select count(*) from app.messages as m join app.discussions as d on d.id = m.discussion_id where d.hub_id = h.id),
    (select count(*) from app.placements as p where p.hub_id = h.id), (select count(*) from app.feed_events as f where f.hub_id = h.id),
    (select count(*) from app.notifications as n where n.scope_id = h.id), (select count(*) from app.events as e where e.hub_id = h.id),
    (select count(*) from app.pending_totals as t where t.hub_id = h.id)
  )
  from app.hubs as h;
end
$$;

select bag_eq(
  'select pg_temp.left_over(1)', array['elm: 1, 1001, 5001, 5001, 5001, 5001', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'of the Hub that closed first 5,000 messages go at a time'
);
select bag_eq('select pg_temp.left_over(2)', array['elm: 0, 1, 5001, 5001, 5001, 5001', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then 1,000 placements');
select bag_eq('select pg_temp.left_over(2)', array['elm: 0, 0, 1, 5001, 5001, 5001', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then 5,000 rows of its stream');
select bag_eq('select pg_temp.left_over(2)', array['elm: 0, 0, 0, 1, 5001, 5001', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then 5,000 who were told');
select bag_eq('select pg_temp.left_over(2)', array['elm: 0, 0, 0, 0, 1, 5001', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then 5,000 events');
select bag_eq('select pg_temp.left_over(2)', array['elm: 0, 0, 0, 0, 0, 1', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then 5,000 hours of votes that wait for it');
select bag_eq('select pg_temp.left_over(1)', array['elm: 0, 0, 0, 0, 0, 0', 'oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'all of them');
select bag_eq('select pg_temp.left_over(1)', array['oak: 1, 1, 1, 1, 1, 1', 'ash: 0, 0, 0, 0, 0, 0'], 'then the Hub itself');
select bag_eq('select pg_temp.left_over(2)', array['oak: 1, 1, 1, 1, 1, 1'], 'then the next; an open one stays with all that is in it');
select is(count(*)::integer, 1001, 'and posts are their authors''') from app.posts;
select set_eq($$ select tests.who_may('select app.remove_closed_hubs()') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- remove_member: ends their membership
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.person('ann', 4);
select tests.membership('elm', 'ann', 'admin');
select tests.authenticate_as('amara');
select lives_ok($$ select app.remove_member(tests.id('elm'), tests.id('jonas')) $$, 'an admin removes a member');
reset role;
select results_eq(
  'select type, actor_id, subject_id, hub_id from app.events',
  $$ values ('hub_member_removed'::app.event_type, tests.id('amara'), tests.id('jonas'), tests.id('elm')) $$, 'who is told'
);
select bag_eq($$ select tests.members('oak') $$, array['jonas: admin'], 'and stays in other Hubs');
select is(tests.refusal_of('amara', $$ select app.remove_member(tests.id('elm'), tests.id('ann')) $$), null, 'another admin too');
delete from app.events;
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select tests.refusal_of('amara', $$ select app.remove_member(tests.id('elm'), tests.id('amara')) $$);
select bag_eq($$ select tests.members('elm') $$, array['maya: admin'], 'or oneself');
select is_empty('select tests.events()', 'which is to leave, and told to nobody');

rollback to empty;

-- remove_member: is for admins
select tests.elm();
select is(
  tests.refusals('remove_member', tests.in_hub('elm', tests.user('jonas'))), tests.all_but_amara('MEMBER_NOT_FOUND', 'FORBIDDEN'),
  'an outsider knows of nobody to remove'
);
select is(
  tests.refusals('remove_member', tests.in_hub('elm', tests.user('amara'))),
  tests.all_but_amara('MEMBER_NOT_FOUND', 'FORBIDDEN') || '{"amara": "LAST_ADMIN"}', 'the last admin stays'
);
select is(tests.refusals('remove_member', tests.in_hub('ash', tests.user('jonas'))), tests.everybody('HUB_NOT_FOUND'), 'in no Hub is anybody');
select tests.authenticate_as('amara');
select is(api.remove_member(tests.in_hub('elm', tests.user('jonas'))), '{}', 'it answers nothing');
reset role;
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager'], 'who is removed is none any more');

rollback to empty;

-- remove_member: is the admins
select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.refusal_of(p_caller text, p_user text, p_hub text default 'elm')
returns text
language sql
as $$ select tests.refusal_of(p_caller, format('select app.remove_member(tests.id(%L), tests.id(%L))', p_hub, p_user)) $$;

select is(pg_temp.refusal_of('maya', 'jonas'), 'PT403 FORBIDDEN', 'a manager removes nobody');
select is(pg_temp.refusal_of('jonas', 'jonas'), 'PT403 FORBIDDEN', 'a member not even themselves');
select is(pg_temp.refusal_of('lena', 'jonas'), 'PT404 MEMBER_NOT_FOUND', 'to an outsider there is no member');
select is(pg_temp.refusal_of('amara', 'lena', 'oak'), 'PT404 MEMBER_NOT_FOUND', 'and an admin is one in other Hubs');
select is(pg_temp.refusal_of(null, 'jonas'), '42501', 'a guest removes nobody');
select is(pg_temp.refusal_of('amara', 'lena'), 'PT404 MEMBER_NOT_FOUND', 'nor an admin who is no member of this Hub');
select is(pg_temp.refusal_of('amara', 'nobody'), 'PT404 MEMBER_NOT_FOUND', 'or who is not there');
select is(pg_temp.refusal_of('amara', 'amara'), 'PT409 LAST_ADMIN', 'or themselves, as the last one');
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'all stay');
select set_eq($$ select tests.who_may('select app.remove_member(null, null)') $$, array['authenticated'], 'who has a session may try');

select * from finish();
rollback;
