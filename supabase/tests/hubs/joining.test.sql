begin;
select plan(124);
savepoint empty;

-- approve_join_request: answers the verdict
select tests.elm();
select tests.person('ben', 4);
select tests.join_request('of lena', 'elm', 'lena');
select tests.join_request('of ben', 'elm', 'ben');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return tests.in_hub('elm', jsonb_build_object('requestId', tests.id(p_name)));

select tests.authenticate_as('amara');
select is(
  api.approve_join_request(pg_temp.args('of lena')), jsonb_build_object('id', tests.id('of lena'), 'state', 'approved'), 'approved'
);
select is(
  api.reject_join_request(pg_temp.args('of ben')), jsonb_build_object('id', tests.id('of ben'), 'state', 'rejected'), 'or rejected'
);
reset role;
select set_eq(
  'select id, state::text from app.join_requests', $$ values (tests.id('of lena'), 'approved'), (tests.id('of ben'), 'rejected') $$, 'as is kept'
);
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member', 'lena: member'], 'who is approved is a member');

rollback to empty;

-- approve_join_request: is for admins
select tests.elm();
select tests.person('ben', 4);
select tests.hub('ash', 'ben');
select tests.join_request('open', 'elm', 'ben');
select tests.join_request('elsewhere', 'ash', 'lena');
select tests.join_request('decided', 'elm', 'ben', 'rejected');

create function pg_temp.refusals(p_operation text, p_name text, p_hub text default 'elm')
returns jsonb
language sql
return tests.refusals(p_operation, tests.in_hub(p_hub, jsonb_build_object('requestId', tests.id(p_name))));

create function pg_temp.expected(p_amara text)
returns jsonb
language sql
return tests.all_but_amara('JOIN_REQUEST_NOT_FOUND', 'FORBIDDEN') || jsonb_strip_nulls(jsonb_build_object('amara', p_amara));

select is(pg_temp.refusals('approve_join_request', 'open'), pg_temp.expected(null), 'an outsider knows of none');
select is(pg_temp.refusals('reject_join_request', 'open'), pg_temp.expected(null), 'to reject either');
select is(pg_temp.refusals('approve_join_request', 'elsewhere'), pg_temp.expected('JOIN_REQUEST_NOT_FOUND'), 'nor is there one of another Hub');
select is(pg_temp.refusals('reject_join_request', 'unknown'), pg_temp.expected('JOIN_REQUEST_NOT_FOUND'), 'or one that never was');
select is(pg_temp.refusals('approve_join_request', 'decided'), pg_temp.expected('JOIN_REQUEST_NOT_PENDING'), 'what is decided is decided');
select is(pg_temp.refusals('reject_join_request', 'decided'), pg_temp.expected('JOIN_REQUEST_NOT_PENDING'), 'for good');
select is(pg_temp.refusals('approve_join_request', 'open', 'oak'), tests.everybody('HUB_NOT_FOUND'), 'no Hub has any');
select is(pg_temp.refusals('reject_join_request', 'open', 'oak'), tests.everybody('HUB_NOT_FOUND'), 'to reject');

rollback to empty;

-- create_invite_link: answers a link
select tests.elm();
select tests.hub('ash', 'maya');
create function pg_temp.args(p_hub text, p_name text, p_args jsonb default '{}')
returns jsonb
language sql
return tests.in_hub(p_hub, jsonb_build_object('tokenHash', tests.hex(p_name), 'sealedToken', 'sealed ' || p_name, 'expiresInDays', 7) || p_args);

select tests.authenticate_as('maya');
select is(
  api.create_invite_link(pg_temp.args('elm', 'one', '{"maxUses": 5, "expiresInDays": 3}')) - 'id',
  jsonb_build_object(
    'token', null, 'url', null, 'expiresAt', app.iso(app.now() + interval '3 days'), 'maxUses', 5, 'useCount', 0, 'createdAt', app.iso(app.now()),
    'sealedToken', 'sealed one'
  ),
  'that the service makes the address of'
);
select is(api.create_invite_link(pg_temp.args('elm', 'two')) ->> 'maxUses', null, 'it may be used without end');
reset role;
select set_eq(
  'select hub_id, token_hash, max_uses from app.invite_links',
  $$ values (tests.id('elm'), tests.hash('one'), 5), (tests.id('elm'), tests.hash('two'), null) $$, 'its token is kept as a hash'
);
select is(
  tests.refusals('create_invite_link', pg_temp.args('elm', 'three')), tests.below_level_4() || '{"lena": "FORBIDDEN", "jonas": "FORBIDDEN"}',
  'managers and admins make links'
);
select is(tests.refusals('create_invite_link', pg_temp.args('oak', 'three')), tests.everybody('HUB_NOT_FOUND'), 'of Hubs that are there');

rollback to empty;

-- create_invite_link: makes 100 a day
select tests.elm();
select tests.hub('ash', 'amara');
create function pg_temp.link(p_hub text, p_name text)
returns text
language sql
return tests.refusal('create_invite_link', tests.in_hub(p_hub, jsonb_build_object('tokenHash', tests.hex(p_name), 'sealedToken', 'sealed', 'expiresInDays', 7)));

select tests.authenticate_as('amara');
select is(count(pg_temp.link('elm', n::text)), 0::bigint, 'at once') from generate_series(1, 100) as n;
select tests.authenticate_as('maya');
select is(pg_temp.link('elm', 'one more'), 'RATE_LIMITED', 'all who make some together');
select tests.authenticate_as('amara');
select is(pg_temp.link('ash', 'another'), null, 'and each Hub for itself');
select is(count(*)::integer, 101, 'no more are made') from app.invite_links;

rollback to empty;

-- decide_join_request: approves or rejects
select tests.elm();
select tests.person('ann', 4);
select tests.join_request('lena asks', 'elm', 'lena');
select tests.join_request('ann asks', 'elm', 'ann');
select tests.authenticate_as('amara');
select app.decide_join_request(tests.id('elm'), tests.id('lena asks'), 'approved');
reset role;
select bag_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member', 'lena: member'], 'who is approved is a member'
);
select bag_eq(
  'select id, state from app.join_requests',
  $$ values (tests.id('lena asks'), 'approved'::app.join_request_state), (tests.id('ann asks'), 'pending_admin_approval') $$, 'and nobody else'
);
select results_eq(
  'select tests.events()', array['hub_join_request_approved: amara, lena', 'hub_member_joined: lena, lena'], 'they are told, then the members'
);
select is(join_request_id, tests.id('lena asks'), 'of which join request') from app.events where type = 'hub_join_request_approved';
delete from app.events;
select tests.authenticate_as('amara');
select app.decide_join_request(tests.id('elm'), tests.id('ann asks'), 'rejected');
reset role;
select is(state, 'rejected', 'another is rejected') from app.join_requests where id = tests.id('ann asks');
select results_eq(
  'select type, actor_id, subject_id, hub_id, join_request_id from app.events',
  $$ values ('hub_join_request_rejected'::app.event_type, tests.id('amara'), tests.id('ann'), tests.id('elm'), tests.id('ann asks')) $$,
  'and told so'
);
select is_empty($$ select from app.memberships where user_id = tests.id('ann') $$, 'and is no member');

rollback to empty;

-- decide_join_request: holds who asks
-- Without profiles and what was asked, whose references would hold them as well.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'amara');
select tests.join_request('lena asked', 'elm', 'lena', 'rejected');
set local session_replication_role = origin;

create function pg_temp.refusal_of(p_hub text)
returns text
language sql
as $$
  select tests.refusal_of('amara', format('select app.decide_join_request(tests.id(%L), tests.id(%L), %L)', p_hub, 'lena asked', 'approved'))
$$;

-- Who acts is held by their session.
create function pg_temp.held()
returns setof uuid
language sql
as $$ select u.id from app.users as u where u.xmax::text <> '0' and u.id <> tests.id('amara') $$;

select pg_temp.refusal_of('oak');
select is_empty('select pg_temp.held()', 'an admin of another Hub holds nobody');
select is(pg_temp.refusal_of('elm'), 'PT409 JOIN_REQUEST_NOT_PENDING', 'before anything is known of what they asked');
select set_eq('select pg_temp.held()', array[tests.id('lena')], 'whoever asks is held: the end of an account goes the same way');
select isnt_empty($$ select from app.join_requests where xmax::text <> '0' $$, 'and so is what they asked');

rollback to empty;

-- decide_join_request: is the admins
select tests.elm();
select tests.hub('oak', 'lena');
select tests.person(name, 4) from unnest(array['ann', 'ben']) as name;
select tests.join_request('ann asks', 'elm', 'ann');
select tests.join_request('ben asks', 'elm', 'ben');
select tests.join_request('of oak', 'oak', 'ann');

create function pg_temp.refusal_of(p_caller text, p_request text, p_verdict text default 'approved', p_hub text default 'elm')
returns text
language sql
as $$
  select tests.refusal_of(
    p_caller, format('select app.decide_join_request(tests.id(%L), tests.id(%L), %L)', p_hub, p_request, p_verdict)
  )
$$;

select is(pg_temp.refusal_of('maya', 'ann asks', verdict), 'PT403 FORBIDDEN', 'a manager does not decide: ' || verdict)
from unnest(array['approved', 'rejected']) as verdict;
select is(pg_temp.refusal_of('jonas', 'ann asks'), 'PT403 FORBIDDEN', 'nor does a member');
select is(pg_temp.refusal_of('ann', 'ann asks'), 'PT404 JOIN_REQUEST_NOT_FOUND', 'nor whoever asks');
select is(pg_temp.refusal_of('lena', 'ann asks'), 'PT404 JOIN_REQUEST_NOT_FOUND', 'nor any outsider');
select is(pg_temp.refusal_of(null, 'ann asks'), '42501', 'nor a guest');
select is(pg_temp.refusal_of('amara', 'of oak'), 'PT404 JOIN_REQUEST_NOT_FOUND', 'an admin does not of another Hub');
select is(pg_temp.refusal_of('lena', 'ann asks', 'approved', 'oak'), 'PT404 JOIN_REQUEST_NOT_FOUND', 'not by way of their own');
select is(pg_temp.refusal_of('amara', 'nothing'), 'PT404 JOIN_REQUEST_NOT_FOUND', 'nor of what is not there');
select is_empty($$ select from app.join_requests where state <> 'pending_admin_approval' $$, 'nothing is decided');
select is(pg_temp.refusal_of('amara', 'ann asks'), null, 'an admin of the Hub decides');
select is(pg_temp.refusal_of('amara', 'ann asks', 'rejected'), 'PT409 JOIN_REQUEST_NOT_PENDING', 'once');
select set_eq(
  $$ select tests.who_may('select app.decide_join_request(null, null, null)') $$, array['authenticated'], 'who has a session may try'
);

rollback to empty;

-- get_invite_link: shows where it leads
select tests.elm();
select tests.link('open', 'elm');
select tests.link('over', 'elm', null, app.now());

create function pg_temp.token(p_name text)
returns jsonb
language sql
return jsonb_build_object('tokenHash', tests.hex(p_name));

create function pg_temp.expected(p_status text)
returns jsonb
language sql
return jsonb_build_object('hub', app.hub_preview_json(tests.id('elm')), 'expiresAt', app.iso(app.now() + interval '7 days'), 'viewerStatus', p_status);

select tests.authenticate_as_guest();
select is(api.get_invite_link(pg_temp.token('open')), pg_temp.expected('none'), 'to a guest');
select is(tests.refusal('get_invite_link', pg_temp.token('over')), 'INVITE_LINK_NOT_FOUND', 'while it may be used');
select tests.authenticate_as('jonas');
select is(api.get_invite_link(pg_temp.token('open')), pg_temp.expected('member'), 'to a member');
reset role;
select tests.join_request('request', 'elm', 'lena');
select tests.authenticate_as('lena');
select is(api.get_invite_link(pg_temp.token('open')), pg_temp.expected('pending_admin_approval'), 'and to who has asked');

rollback to empty;

-- link_of: knows what is open
select tests.elm();
select tests.hub('oak', 'lena');
select tests.link('door', 'elm');
select tests.link('narrow door', 'elm', 2);
select tests.link('over', 'elm', p_expires_at => app.now());
select tests.link('to oak', 'oak');
select tests.close_hub('oak');

create function pg_temp.refusal_of(p_token text)
returns text
language sql
as $$ select tests.refusal_of(null, format('select app.link_of(tests.hash(%L))', p_token)) $$;

select tests.authenticate_as_guest();
select is((app.link_of(tests.hash('door'))).id, tests.id('door'), 'whoever has its token finds a link');
reset role;
select is(pg_temp.refusal_of('nothing'), 'PT404 INVITE_LINK_NOT_FOUND', 'of no other token');
select is(pg_temp.refusal_of('over'), 'PT404 INVITE_LINK_NOT_FOUND', 'not when it has expired');
select is(pg_temp.refusal_of('to oak'), 'PT404 INVITE_LINK_NOT_FOUND', 'or its Hub is closed');
update app.invite_links set use_count = 1;
select is(pg_temp.refusal_of('narrow door'), null, 'as long as a use is left');
update app.invite_links set use_count = 2;
select is(pg_temp.refusal_of('narrow door'), 'PT404 INVITE_LINK_NOT_FOUND', 'and no longer');
select is(pg_temp.refusal_of('door'), null, 'where uses are counted');
delete from app.invite_links where id = tests.id('door');
select is(pg_temp.refusal_of('door'), 'PT404 INVITE_LINK_NOT_FOUND', 'not when it is revoked');
select set_eq($$ select tests.who_may('select app.link_of(null)') $$, array['anon', 'authenticated'], 'guests look as well');

rollback to empty;

-- list_invite_links: is for managers
select tests.elm();
select is(
  tests.refusals('list_invite_links', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN", "jonas": "FORBIDDEN"}', 'members see none'
);
select is(tests.refusals('list_invite_links', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub are any');
select tests.authenticate_as('amara');
select is(tests.refusal('list_invite_links', tests.in_hub('elm', '{"limit": 101}')), 'VALIDATION_FAILED', 'a page holds 100 at most');
select is(tests.refusal('list_invite_links', tests.in_hub('elm', '{"limit": 100}')), null, 'and may');
select is(tests.refusal('list_invite_links', tests.in_hub('elm', '{"cursor": "?"}')), 'VALIDATION_FAILED', 'and follows no foreign cursor');

rollback to empty;

-- list_invite_links: shows what can be used
select tests.elm();
select tests.hub('ash', 'lena');
select tests.link('open', 'elm');
select tests.link('used up', 'elm', 1);
select tests.link('over', 'elm', null, app.now());
select tests.link('elsewhere', 'ash');
update app.invite_links set use_count = 1, created_at = app.now() - interval '1 day' where id = tests.id('used up');

select tests.authenticate_as('maya');
select is(tests.listed(api.list_invite_links(tests.in_hub('elm'))), tests.ids('open', 'used up'), 'what has not expired, newest first');
select is(
  api.list_invite_links(tests.in_hub('elm')) #> '{items,1}',
  jsonb_build_object(
    'id', tests.id('used up'), 'token', null, 'url', null, 'expiresAt', app.iso(app.now() + interval '7 days'), 'maxUses', 1, 'useCount', 1,
    'createdAt', app.iso(app.now() - interval '1 day')
  ),
  'without the address, and with how often it was used'
);
select is(
  tests.listed_in_parts('list_invite_links', tests.in_hub('elm')), tests.ids('open', 'used up'), 'one after the other too'
);
select is(
  tests.listed(jsonb_build_object('items', app.invite_links_json(array[(null, tests.id('used up')), (null, tests.id('open'))]::app.list_entry[]))),
  tests.ids('used up', 'open'), 'links are in the order they are given'
);
select is(app.invite_links_json('{}'), '[]', 'none are none');

rollback to empty;

-- list_join_requests: is for managers
select tests.elm();
select is(
  tests.refusals('list_join_requests', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN", "jonas": "FORBIDDEN"}', 'members see none'
);
select is(tests.refusals('list_join_requests', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub are any');
select tests.authenticate_as('amara');
select is(tests.refusal('list_join_requests', tests.in_hub('elm', '{"limit": 101}')), 'VALIDATION_FAILED', 'a page holds 100 at most');
select is(tests.refusal('list_join_requests', tests.in_hub('elm', '{"limit": 100}')), null, 'and may');
select is(tests.refusal('list_join_requests', tests.in_hub('elm', '{"cursor": "?"}')), 'VALIDATION_FAILED', 'and follows no foreign cursor');

rollback to empty;

-- list_join_requests: shows open ones
select tests.elm();
select tests.hub('ash', 'amara');
select tests.person(name, 4) from unnest(array['ben', 'ann', 'tom']) as name;
select tests.asset('face', 'ben', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('face') where user_id = tests.id('ben');
insert into app.hub_profiles (user_id, display_name) values (tests.id('ben'), 'Benjamin');
select tests.join_request('of ben', 'elm', 'ben');
select tests.join_request('of ann', 'elm', 'ann');
select tests.join_request('elsewhere', 'ash', 'ann');
select tests.join_request('rejected', 'elm', 'tom', 'rejected');
update app.join_requests set created_at = app.now() - interval '1 day', source = 'member_invitation' where id = tests.id('of ben');

select tests.authenticate_as('maya');
select is(tests.listed(api.list_join_requests(tests.in_hub('elm'))), tests.ids('of ann', 'of ben'), 'newest first');
select is(
  api.list_join_requests(tests.in_hub('elm')) #> '{items,1}',
  jsonb_build_object(
    'id', tests.id('of ben'), 'state', 'pending_admin_approval', 'source', 'member_invitation', 'createdAt', app.iso(app.now() - interval '1 day'),
    'user', jsonb_build_object(
      'userId', tests.id('ben'), 'displayName', 'Ben', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('face'), 'username', 'ben'
    )
  ),
  'who asks is shown as to everybody'
);
select is(tests.listed_in_parts('list_join_requests', tests.in_hub('elm')), tests.ids('of ann', 'of ben'), 'one after the other too');
select tests.authenticate_as('jonas');
select is(app.join_requests_json(array[(null, tests.id('of ben'))]::app.list_entry[]), '[]', 'a member is shown none');
select tests.authenticate_as('maya');
select is(
  tests.listed(jsonb_build_object('items', app.join_requests_json(array[(null, tests.id('of ben')), (null, tests.id('of ann'))]::app.list_entry[]))),
  tests.ids('of ben', 'of ann'), 'requests are in the order they are given'
);
select is(app.join_requests_json('{}'), '[]', 'none are none');

rollback to empty;

-- record_presence: is of the caller
select tests.elm();
select tests.hub('oak', 'jonas');
update app.memberships set seen_at = app.now() - interval '4 minutes 59 seconds' where user_id = tests.id('maya');
update app.memberships set seen_at = app.now() - interval '5 minutes' where user_id = tests.id('amara');
create temporary table moments as select m.user_id, m.seen_at from app.memberships as m;

create function pg_temp.noted(p_caller text)
returns bigint
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  perform app.record_presence(tests.id('elm'));
  perform set_config('role', 'none', true);
  return (select count(*) from app.memberships as m where m.seen_at = app.now());
end
$$;

select is(array[pg_temp.noted('lena'), pg_temp.noted('maya')], array[0, 0]::bigint[], 'no outsider, and nobody within five minutes');
select is(array[pg_temp.noted('jonas'), pg_temp.noted('amara')], array[1, 2]::bigint[], 'others by themselves');
select is_empty($$ select from app.memberships where hub_id = tests.id('oak') and seen_at is not null $$, 'in this Hub');
select set_eq($$ select tests.who_may('select app.record_presence(null)') $$, array['authenticated'], 'who has a session may try');

rollback to empty;

-- open_join_request: is the callers
select tests.elm();
select set_config('request.jwt.claims', tests.claims('lena')::text, true);
create temporary table asked as select app.open_join_request(tests.id('elm'), 'member_invitation') as id;
select results_eq(
  'select id, hub_id, user_id, source, state from app.join_requests',
  $$
    select id, tests.id('elm'), tests.id('lena'), 'member_invitation'::app.join_request_source, 'pending_admin_approval'::app.join_request_state
    from asked
  $$,
  'the caller asks'
);
select results_eq(
  'select type, actor_id, subject_id, hub_id, join_request_id from app.events',
  $$ select 'hub_join_request_created'::app.event_type, tests.id('lena'), tests.id('lena'), tests.id('elm'), id from asked $$, 'which is told'
);
select is(tests.violation_of($$ select app.open_join_request(tests.id('elm'), 'invite_link') $$), 'join_requests_pending_key', 'once at a time');
select is_empty($$ select tests.who_may('select app.open_join_request(null, null)') $$, 'moves alone ask');

rollback to empty;

-- put_invite_link: is limited
select tests.elm();
select tests.hub('oak', 'maya');

create function pg_temp.make(p_caller text, p_count integer, p_hub text default 'elm')
returns text
language sql
as $$
  select tests.refusal_of(p_caller, format(
    'select app.put_invite_link(tests.id(%1$L), tests.hash(%2$L || n), null, interval %3$L) from generate_series(1, %4$s) as n',
    p_hub, p_caller || p_hub || p_count, '1 day', p_count
  ))
$$;

select is(array[pg_temp.make('maya', 60), pg_temp.make('amara', 40)], array[null, null]::text[], 'a Hub has 100 links a day');
select is(pg_temp.make('maya', 1), 'PT429 RATE_LIMITED', 'and no more');
select is(count(*)::integer, 100, 'of which nothing comes') from app.invite_links;
select is(pg_temp.make('maya', 1, 'oak'), null, 'each Hub by itself');
select tests.authenticate_as('amara');
select is(
  tests.error_of($$ select app.put_invite_link(tests.id('elm'), tests.hash('door'), null, interval '1 day') $$) -> 'details',
  '{"retryAfterSeconds": 864}', 'then one each hundredth of a day'
);

rollback to empty;

-- put_invite_link: is the managers
set local session_replication_role = replica;
select tests.elm();
update app.memberships set seen_at = app.now();
set local session_replication_role = origin;
select tests.hub('oak', 'lena');

create function pg_temp.refusal_of(p_caller text)
returns text
language sql
as $$
  select tests.refusal_of(
    p_caller, format('select app.put_invite_link(tests.id(%L), tests.hash(%L), null, interval %L)', 'elm', p_caller, '1 day')
  )
$$;

select is(pg_temp.refusal_of('maya'), null, 'a manager makes a link');
-- A row that is locked has the transaction in its xmax.
select set_eq(
  $$ select user_id from app.memberships where xmax::text <> '0' and hub_id = tests.id('elm') $$, array[tests.id('maya')],
  'and stays what they are meanwhile'
);
select results_eq(
  $$ select pg_temp.refusal_of(caller) from unnest(array['amara', 'jonas', 'lena', null]) with ordinality as actor (caller, place) order by place $$,
  array[null, 'PT403 FORBIDDEN', 'PT403 FORBIDDEN', '42501'], 'so does an admin, and nobody else'
);
select is(count(*)::integer, 2, 'and none comes of a refusal') from app.invite_links;
select is_empty(
  $$ select from app.hubs as h where h.id = tests.id('oak') and exists (select from app.invite_links as l where l.hub_id = h.id) $$,
  'of this Hub'
);
select set_eq($$ select tests.who_may('select app.put_invite_link(null, null, null, null)') $$, array['authenticated'], 'who has a session may try');

rollback to empty;

-- put_invite_link: makes a link
select tests.elm();
select tests.authenticate_as('maya');
create temporary table made as
select app.put_invite_link(tests.id('elm'), tests.hash('door'), 5, interval '3 days') as id;
select app.put_invite_link(tests.id('elm'), tests.hash('gate'), null, interval '30 days');
reset role;
select results_eq(
  'select id, hub_id, token_hash, max_uses, use_count, expires_at from app.invite_links where id in (select id from made)',
  $$ select id, tests.id('elm'), tests.hash('door'), 5, 0, app.now() + interval '3 days' from made $$, 'a link is as the manager says'
);
select results_eq(
  $$ select max_uses from app.invite_links where token_hash = tests.hash('gate') $$, array[null::integer], 'or without a limit'
);
select is_empty('select tests.events()', 'nobody is told');

rollback to empty;

-- request_to_join: answers a request
select tests.elm();
select tests.link('open', 'elm');
create function pg_temp.args(p_name text)
returns jsonb
language sql
return jsonb_build_object('tokenHash', tests.hex(p_name));

select is(
  tests.refusals('request_to_join', pg_temp.args('open')), tests.everybody('ALREADY_MEMBER') - 'lena', 'whoever is Hub-ready and no member asks'
);
select is(tests.refusals('request_to_join', pg_temp.args('unknown')), tests.everybody('INVITE_LINK_NOT_FOUND'), 'by a link that is there');
select tests.authenticate_as('lena');
create temporary table answers as select api.request_to_join(pg_temp.args('open')) as answer;
reset role;
select is(
  answer, (select jsonb_build_object('id', r.id, 'hubId', tests.id('elm'), 'state', 'pending_admin_approval') from app.join_requests as r where r.user_id = tests.id('lena')),
  'which is open now'
)
from answers;

rollback to empty;

-- request_to_join: opens a join request
select tests.elm();
select tests.link('door', 'elm', 2);
select tests.link('gate', 'elm');
select tests.authenticate_as('lena');
create temporary table asked as select * from app.request_to_join(tests.hash('door'));
reset role;
select results_eq(
  'select id, hub_id, user_id, source, state from app.join_requests',
  $$
    select join_request_id, hub_id, tests.id('lena'), 'invite_link'::app.join_request_source, 'pending_admin_approval'::app.join_request_state
    from asked
    where hub_id = tests.id('elm')
  $$,
  'whoever has a link may ask, and is answered the join request'
);
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'which makes no member');
select bag_eq('select id, use_count from app.invite_links', $$ values (tests.id('door'), 1), (tests.id('gate'), 0) $$, 'the link is used once');
select results_eq(
  'select type, actor_id, subject_id, hub_id, join_request_id from app.events',
  $$ select 'hub_join_request_created'::app.event_type, tests.id('lena'), tests.id('lena'), hub_id, join_request_id from asked $$, 'and this is told'
);
select set_eq($$ select tests.who_may('select app.request_to_join(null)') $$, array['authenticated'], 'who has a session asks');

rollback to empty;

-- request_to_join: refuses who need not ask
select tests.elm();
select tests.link('door', 'elm');

create function pg_temp.refusal_of(p_caller text)
returns text
language sql
as $$ select tests.refusal_of(p_caller, 'select app.request_to_join(tests.hash($s$door$s$))') $$;

select is(pg_temp.refusal_of('jonas'), 'PT409 ALREADY_MEMBER', 'a member need not ask');
select is(pg_temp.refusal_of(null), '42501', 'a guest cannot');
update app.users set contacts_synced_at = null where id = tests.id('lena');
select is(pg_temp.refusal_of('lena'), 'PT403 FORBIDDEN', 'nor can who is not Hub-ready');
update app.users set contacts_synced_at = app.now();
select is(
  tests.refusal_of('lena', $$ select app.request_to_join(tests.hash('nothing')) $$), 'PT404 INVITE_LINK_NOT_FOUND', 'nor anybody without a link'
);
select is(use_count, 0, 'none of them uses the link') from app.invite_links;
select pg_temp.refusal_of('lena');
select is(pg_temp.refusal_of('lena'), '23505', 'who has asked waits');
select is(use_count, 1, 'and uses it once') from app.invite_links;
update app.join_requests set state = 'rejected';
select is(pg_temp.refusal_of('lena'), null, 'who was rejected may ask again');

rollback to empty;

-- revoke_invite_link: removes a link
select tests.elm();
select tests.hub('ash', 'lena');
select tests.link('one', 'elm');
select tests.link('two', 'elm');
select tests.link('elsewhere', 'ash');

create function pg_temp.args(p_name text, p_hub text default 'elm')
returns jsonb
language sql
return tests.in_hub(p_hub, jsonb_build_object('inviteLinkId', tests.id(p_name)));

select is(
  tests.refusals('revoke_invite_link', pg_temp.args('one')),
  tests.below_level_4() || '{"lena": "INVITE_LINK_NOT_FOUND", "jonas": "FORBIDDEN"}', 'managers revoke, outsiders know of none'
);
select is(
  tests.refusals('revoke_invite_link', pg_temp.args('elsewhere')),
  tests.everybody('INVITE_LINK_NOT_FOUND') || '{"jonas": "FORBIDDEN"}', 'of another Hub is none'
);
select is(tests.refusals('revoke_invite_link', pg_temp.args('one', 'oak')), tests.everybody('HUB_NOT_FOUND'), 'nor of no Hub');
reset role;
select tests.membership('ash', 'maya', 'manager');
select tests.authenticate_as('maya');
select is(tests.refusal('revoke_invite_link', pg_temp.args('elsewhere')), 'INVITE_LINK_NOT_FOUND', 'even if one''s own too');
select is(api.revoke_invite_link(pg_temp.args('one')), '{}', 'it answers nothing');
select throws_ok($$ select api.revoke_invite_link(pg_temp.args('one')) $$, 'PT404', 'INVITE_LINK_NOT_FOUND', 'and is not done twice');
reset role;
select set_eq('select id from app.invite_links', tests.ids('two', 'elsewhere'), 'the others stay');

select * from finish();
rollback;
