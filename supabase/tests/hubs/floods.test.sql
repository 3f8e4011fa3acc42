begin;
select plan(46);
-- Runs the following statements as a user, with a token that outlives the clock.
create function pg_temp.authenticate_as(p_name text)
returns void
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_name);
  perform set_config('request.jwt.claims', (tests.claims(p_name) || '{"exp": 9999999999}')::text, true);
end
$$;
create function pg_temp.refusal_as(p_name text, p_operation text, p_args jsonb)
returns text
language plpgsql
as $$
declare
  v_refusal text;
begin
  perform pg_temp.authenticate_as(p_name);
  v_refusal := tests.refusal(p_operation, p_args);
  perform set_config('role', 'none', true);
  return v_refusal;
end
$$;
create function pg_temp.ask(p_name text default 'lena', p_link text default 'door')
returns text
language sql
return pg_temp.refusal_as(p_name, 'request_to_join', jsonb_build_object('tokenHash', tests.hash_hex(p_link)));
create function pg_temp.request_of(p_name text default 'lena')
returns uuid
language sql
stable
return (
  select r.id from app.join_requests as r where r.user_id = tests.id(p_name) and r.state = 'pending_admin_approval'
);
create function pg_temp.withdraw(p_name text default 'lena')
returns text
language sql
return pg_temp.refusal_as(
  p_name, 'withdraw_join_request', tests.hub_args('elm', jsonb_build_object('requestId', pg_temp.request_of(p_name)))
);
create function pg_temp.decide(p_verdict text, p_name text default 'lena')
returns text
language sql
return pg_temp.refusal_as(
  'amara', p_verdict || '_join_request',
  tests.hub_args('elm', jsonb_build_object('requestId', pg_temp.request_of(p_name)))
);
create function pg_temp.uses()
returns integer
language sql
stable
return (select l.use_count from app.invite_links as l where l.id = tests.id('door'));
savepoint empty;

-- Asking the same Hub again: twice in 7 days (docs/product.md H30).
select tests.elm();
select tests.hub('oak', 'amara'), tests.invite_link('gate', 'oak');
select tests.invite_link('door', 'elm', 2, app.now() + interval '20 days');
select is(pg_temp.ask(), null, 'a person asks to join');
select is(pg_temp.uses(), 1, 'an open join request uses its link');
select ok(pg_temp.ask() like '%join_requests_pending_key%', 'a person with an open join request cannot ask');
select is(pg_temp.withdraw(), null, 'the person withdraws the request');
select is(pg_temp.uses(), 0, 'a withdrawn join request gives its use of the link back');
select app.set_clock_offset('1 hour');
select is(pg_temp.ask(), null, 'a person asks again after a withdrawal');
select is(pg_temp.decide('reject'), null, 'an admin rejects the request');
select is(pg_temp.uses(), 0, 'a rejected join request gives its use of the link back');
select app.set_clock_offset('2 hours');
select is(pg_temp.ask(), null, 'a person asks again after a rejection');
select is(pg_temp.withdraw(), null, 'the person withdraws the third request');
select is(pg_temp.ask(), 'RATE_LIMITED', 'a person cannot ask a Hub again three times within 7 days');
select is(pg_temp.uses(), 0, 'a refused join request does not use the link');
select is(
  app.repeats_open_at(tests.id('elm'), tests.id('lena')), app.now() + interval '6 days 23 hours',
  'a person may ask a Hub again 7 days after the first repetition'
);
select is(pg_temp.ask(p_link => 'gate'), null, 'a person who cannot ask one Hub asks another');
select tests.invitation('open', 'elm', 'jonas', 'lena');
select is(
  pg_temp.refusal_as('lena', 'accept_invitation', jsonb_build_object('invitationId', tests.id('open'))), null,
  'a person who cannot ask a Hub accepts an invitation to it'
);
delete from app.join_requests where hub_id = tests.id('oak');
select is(pg_temp.withdraw(), null, 'the person withdraws the request of the invitation');
select app.set_clock_offset('7 days 59 minutes');
select is(pg_temp.ask(), 'RATE_LIMITED', 'a person cannot ask again just before the limit has passed');
select app.set_clock_offset('7 days 1 hour');
select is(pg_temp.ask(), null, 'a person asks again once the limit has passed');
select is(pg_temp.decide('approve'), null, 'an admin approves the request');
select is(pg_temp.uses(), 1, 'an approved join request keeps its use of the link');

rollback to empty;

-- A request counts as a repetition within 7 days of the end of the one before.
select tests.elm();
select tests.invite_link('door', 'elm', p_expires_at => app.now() + interval '30 days');
create function pg_temp.is_repeat_after(p_state app.join_request_state, p_age interval)
returns boolean
language plpgsql
as $$
begin
  delete from app.join_requests;
  insert into app.join_requests (hub_id, user_id, source, state, created_at, ended_at)
  values (tests.id('elm'), tests.id('lena'), 'invite_link', p_state, app.now() - interval '20 days', app.now() - p_age);
  perform pg_temp.ask();
  return (select r.is_repeat from app.join_requests as r where r.state = 'pending_admin_approval');
end
$$;
select is(
  pg_temp.is_repeat_after(state, age), expected,
  format(
    'a join request %s after one that was %s counts as %s', age, state,
    case when expected then 'a repetition' else 'the first' end
  )
)
from (
  values
    ('rejected'::app.join_request_state, interval '6 days 23:59:59', true), ('rejected', '7 days', false),
    ('withdrawn', '6 days 23:59:59', true), ('withdrawn', '7 days', false), ('approved', '1 day', false)
) as c (state, age, expected);

rollback to empty;

-- A join request that is made again within a day shows the admins its row, and notifies nobody again.
-- docs/product.md H30
select tests.elm();
select tests.invite_link('door', 'elm');
select app.set_clock_offset('0');
delete from app.events;
select pg_temp.ask();
create temporary table first as select id, recipient_id from app.notifications;
select bag_eq('select tests.recipients()', array['amara', 'maya'], 'a join request notifies admins and managers');
update app.notifications set read_at = app.now() where recipient_id = tests.id('maya');
delete from app.outbox;
select tests.person('ann', 4);
select pg_temp.ask('ann');
select pg_temp.withdraw();
select results_eq(
  $$
    select e.actor_id
    from app.notifications as n
    join app.events as e on e.id = n.event_id
    where n.recipient_id = tests.id('amara') and n.audience <> 'nobody'
  $$,
  tests.ids('ann'), 'the withdrawal of a join request hides its notifications and none of another request'
);
delete from app.events where actor_id = tests.id('ann');
delete from app.outbox;
select is(
  array[
    tests.unread_count('amara'), jsonb_array_length(tests.inbox('amara') -> 'items'),
    jsonb_array_length(tests.inbox('maya') -> 'items')
  ],
  array[0, 0, 0], 'the notification of a withdrawn join request is in no inbox'
);
select app.set_clock_offset('23 hours');
select is(pg_temp.ask(), null, 'the person asks again within a day');
select results_eq(
  $$
    select n.id, n.recipient_id, n.audience::text, e.join_request_id, n.read_at is not null
    from app.notifications as n join app.events as e on e.id = n.event_id order by n.id
  $$,
  $$
    select id, recipient_id, 'hub_member', pg_temp.request_of(), recipient_id = tests.id('maya') from first order by id
  $$,
  'admins and managers have the row of the open request, unread or read as it was'
);
select is_empty('select from app.outbox', 'a join request that is made again within a day is delivered to nobody');
select is(tests.unread_count('amara'), 1, 'the row of the open request counts as unread again');
select pg_temp.decide('reject');
delete from app.events where type = 'hub_join_request_rejected';
select app.set_clock_offset('24 hours');
select is(pg_temp.ask(), null, 'the person asks again a day after the first request');
select is(
  count(*), 4::bigint, 'a join request a day after the first notifies admins and managers'
) from app.notifications;

rollback to empty;

-- Who is removed or leaves loses the invite links that they made (docs/product.md H20).
select tests.elm();
select tests.invite_link('by maya', 'elm', p_creator => 'maya'),
  tests.invite_link('by amara', 'elm', p_creator => 'amara');
select tests.authenticate_as('maya');
select api.leave_hub(tests.hub_args('elm'));
reset role;
select results_eq(
  'select id from app.invite_links', tests.ids('by amara'), 'who leaves a Hub loses the invite links that they made'
);
select tests.membership('elm', 'maya', 'manager'), tests.invite_link('again', 'elm', p_creator => 'maya');
select tests.authenticate_as('amara');
select api.remove_member(tests.hub_args('elm', tests.user_args('maya')));
reset role;
select results_eq(
  'select id from app.invite_links', tests.ids('by amara'), 'a removed member loses the invite links that they made'
);

rollback to empty;

-- Invitations and roles of a day are one notification, and at most one push in 10 minutes (docs/product.md N33).
select tests.elm();
select app.set_clock_offset('0');
insert into app.device_tokens (token_hash, user_id, platform, sealed_token)
values (tests.hash('phone'), tests.id('jonas'), 'ios', decode(repeat('00', 28), 'hex'));
delete from app.events;
create function pg_temp.set_role(p_role text)
returns void
language plpgsql
as $$
begin
  perform pg_temp.authenticate_as('amara');
  perform app.set_role(tests.id('elm'), tests.id('jonas'), p_role::app.hub_role);
  perform set_config('role', 'none', true);
end
$$;
-- How many notifications and unread ones Jonas has, how many are to be streamed, and in how many seconds pushed.
create function pg_temp.state()
returns text
language sql
as $$
  select format(
    '%s row, %s unread, %s streamed, pushed in %s s',
    (select count(*) from app.notifications as n where n.recipient_id = tests.id('jonas')),
    tests.unread_count('jonas'), (select count(*) from app.outbox as o),
    (select string_agg(extract(epoch from p.due_at - app.now())::integer::text, ', ') from app.pushes as p)
  )
$$;
select pg_temp.set_role('manager');
select is(pg_temp.state(), '1 row, 1 unread, 1 streamed, pushed in  s', 'a new role makes a notification');
delete from app.outbox;
update app.notifications set read_at = app.now();
select app.set_clock_offset('4 minutes');
select pg_temp.set_role('member'), pg_temp.set_role('manager');
select is(
  pg_temp.state(), '1 row, 1 unread, 1 streamed, pushed in 360 s',
  'roles of a day renew one notification, which is streamed at once and pushed 10 minutes after the first'
);
select is(
  (select n.created_at from app.notifications as n), app.now(), 'a renewed notification has the newest time'
);
select is_empty(
  'select from app.claim_pushes(10) where messages::text <> ''[]''', 'a push of a renewed notification waits'
);
select app.set_clock_offset('10 minutes');
select is(
  count(*), 1::bigint, 'a renewed notification is pushed once 10 minutes have passed'
) from tests.claim_pushes(10);
delete from app.pushes;
delete from app.outbox;
select app.set_clock_offset('12 minutes');
select pg_temp.set_role('member'), pg_temp.set_role('manager');
select is(
  pg_temp.state(), '1 row, 1 unread, 1 streamed, pushed in 480 s',
  'a notification that is renewed again is pushed 10 minutes after its last push'
);
delete from app.pushes;
delete from app.outbox;
select app.set_clock_offset('23 hours');
select pg_temp.set_role('member');
select is(
  pg_temp.state(), '1 row, 1 unread, 1 streamed, pushed in 0 s', 'a renewal long after the last push is pushed at once'
);
select app.set_clock_offset('24 hours');
select pg_temp.set_role('manager');
select is(count(*), 2::bigint, 'a role a day after the first makes another notification') from app.notifications;
select app.change_role(tests.id('elm'), tests.id('jonas'), 'member', null);
select is(count(*), 2::bigint, 'a role that nobody gave renews the notification of the day too') from app.notifications;
select tests.person('ann', 4);
select pg_temp.authenticate_as('amara');
select app.put_invitation(tests.id('elm'), tests.phone_of('ann'), tests.hash('one'));
select pg_temp.authenticate_as('maya');
select app.put_invitation(tests.id('elm'), tests.phone_of('ann'), tests.hash('two'));
reset role;
select results_eq(
  $$
    select e.actor_id, n.actor_id, i.inviter_id
    from app.notifications as n
    join app.events as e on e.id = n.event_id
    join app.hub_invitations as i on i.id = e.invitation_id
    where n.recipient_id = tests.id('ann')
  $$,
  $$ values (tests.id('maya'), tests.id('maya'), tests.id('maya')) $$,
  'invitations of a person to a Hub within a day are one notification of the newest'
);

select * from finish();
rollback;
