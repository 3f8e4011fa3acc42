begin;
select plan(77);
savepoint empty;

-- Each operation on a Hub refuses whom docs/product.md H6-H8 name.
select tests.elm();
select tests.person('ben', 4);
select tests.invite_link('link', 'elm'), tests.join_request('request', 'elm', 'ben');

create function pg_temp.args(p_hub text)
returns jsonb
language sql
return tests.hub_args(p_hub, tests.user_args('jonas') || jsonb_build_object(
  'name', 'Oak', 'customLink', 'oak', 'q', 'elm', 'contentMuted', true, 'tokenHash', tests.hash_hex('new'),
  'sealedToken', '',
  'invitations',
  jsonb_build_array(jsonb_build_object('phoneNumber', '+12025550100', 'tokenHash', tests.hash_hex('new'))),
  'requestId', tests.id('request'), 'inviteLinkId', tests.id('link')
));

select is(
  tests.refusals(operation, pg_temp.args('elm')), tests.refusals_below_level_4() || refused::jsonb,
  format('%s is for %s', operation, callers)
)
from (
  values
    ('users at level 4', '{}', array['create_hub']),
    (
      'members at level 4', '{"lena": "FORBIDDEN"}',
      array[
        'list_members', 'list_admins', 'get_hub_settings', 'update_hub_settings', 'create_invitations',
        'list_invitations'
      ]
    ),
    ('members at level 4 except the last admin', '{"lena": "FORBIDDEN", "amara": "LAST_ADMIN"}', array['leave_hub']),
    (
      'managers and admins', '{"lena": "FORBIDDEN", "jonas": "FORBIDDEN"}',
      array['create_invite_link', 'list_invite_links', 'list_join_requests']
    ),
    ('managers and admins', '{"lena": "INVITE_LINK_NOT_FOUND", "jonas": "FORBIDDEN"}', array['revoke_invite_link']),
    (
      'admins', '{"lena": "FORBIDDEN", "jonas": "FORBIDDEN", "maya": "FORBIDDEN"}',
      array['update_hub', 'change_hub_link', 'add_admin']
    ),
    (
      'admins', '{"lena": "MEMBER_NOT_FOUND", "jonas": "FORBIDDEN", "maya": "FORBIDDEN"}',
      array['remove_admin', 'remove_member']
    ),
    (
      'admins', '{"lena": "JOIN_REQUEST_NOT_FOUND", "jonas": "FORBIDDEN", "maya": "FORBIDDEN"}',
      array['approve_join_request', 'reject_join_request']
    )
) as c (callers, refused, operations)
cross join unnest(operations) as operation;
select is(
  tests.refusals(operation, pg_temp.args('unknown')), tests.refusals_of_all('HUB_NOT_FOUND'),
  operation || ' raises HUB_NOT_FOUND for an unknown Hub'
)
from unnest(array[
  'list_members', 'list_admins', 'get_hub_settings', 'update_hub_settings', 'create_invitations', 'list_invitations',
  'leave_hub',
  'create_invite_link', 'list_invite_links', 'list_join_requests', 'revoke_invite_link', 'update_hub',
  'change_hub_link',
  'add_admin', 'remove_admin', 'remove_member', 'approve_join_request', 'reject_join_request'
]) as operation;
select is(
  tests.refusals(operation, pg_temp.args('elm')), '{"guest": "no privilege", "signed out": "UNAUTHORIZED"}',
  operation || ' requires a live session and no level'
)
from unnest(array['get_hub', 'search_hubs', 'list_my_hubs']) as operation;

rollback to empty;

-- Each operation on a Hub that a member may use records the use.
select tests.elm();
select tests.invite_link('link', 'elm');

create function pg_temp.is_recorded(p_operation text)
returns boolean
language plpgsql
as $$
begin
  perform tests.authenticate_as('amara');
  execute format('select api.%I($1)', p_operation) using tests.hub_args('elm', jsonb_build_object(
    'name', 'Oak', 'customLink', 'oak', 'contentMuted', true, 'tokenHash', tests.hash_hex('new'), 'sealedToken', '',
    'invitations',
    jsonb_build_array(jsonb_build_object('phoneNumber', '+12025550100', 'tokenHash', tests.hash_hex('new'))),
    'inviteLinkId', tests.id('link')
  ));
  raise exception using message = (
    select count(*) = 1 from app.memberships as m where m.user_id = app.user_id() and m.seen_at = app.now()
  );
exception when raise_exception then
  return sqlerrm;
end
$$;

select ok(pg_temp.is_recorded(operation), operation || ' records that its caller used the Hub')
from unnest(array[
  'get_hub', 'update_hub', 'change_hub_link', 'list_members', 'list_admins', 'get_hub_settings', 'update_hub_settings',
  'create_invitations', 'list_invitations', 'create_invite_link', 'list_invite_links', 'revoke_invite_link',
  'list_join_requests',
  'list_discussions', 'get_hub_feed'
]) as operation;

rollback to empty;

-- Lists of a Hub return 30 rows by default and 100 on request, and refuse a malformed cursor.
-- docs/product.md W7
select tests.elm();
select tests.person('user_' || n, 4), tests.membership('elm', 'user_' || n, 'manager'),
  tests.invite_link('of ' || n, 'elm'),
  tests.invitation('of ' || n, 'elm', 'amara', 'user_' || n), tests.join_request('of ' || n, 'elm', 'user_' || n)
from generate_series(1, 31) as n;

create function pg_temp.page_sizes(p_operation text, p_args jsonb)
returns integer[]
language plpgsql
as $$
declare
  v_pages jsonb[];
begin
  execute format('select array[api.%I($1), api.%1$I($2)]', p_operation)
    into v_pages using p_args, p_args || '{"limit": 100}';
  return array(select jsonb_array_length(page -> 'items') from unnest(v_pages) as page);
end
$$;

select tests.authenticate_as('maya');
select is(
  pg_temp.page_sizes(operation, tests.hub_args('elm', args::jsonb)), array[30, total],
  format('%s with %s returns 30 rows by default, and all at a limit of 100', operation, args)
)
from (
  values
    ('list_members', '{}', 34), ('list_members', '{"q": "user_"}', 31), ('list_admins', '{}', 33),
    ('list_invitations', '{}', 31),
    ('list_invite_links', '{}', 31), ('list_join_requests', '{}', 31)
) as c (operation, args, total);
select is(
  tests.refusal(operation, tests.hub_args('elm', args::jsonb || '{"cursor": "?"}')), 'VALIDATION_FAILED',
  format('%s with %s refuses a malformed cursor', operation, args)
)
from (
  values
    ('list_members', '{}'), ('list_members', '{"q": "user_"}'), ('list_admins', '{}'), ('list_invitations', '{}'),
    ('list_invite_links', '{}'), ('list_join_requests', '{}')
) as c (operation, args);

rollback to empty;

-- Lists of a Hub hold its rows only, newest first, and by id within one moment.
select tests.person(name, 4) from unnest(array['one', 'two', 'three', 'four']) as name;
select tests.hub('oak', 'one'), tests.hub('ash', 'one');
select tests.membership('oak', name, 'manager') from unnest(array['two', 'three']) as name;
select tests.invitation(name, 'oak', 'one', name), tests.invite_link(name, 'oak'), tests.join_request(name, 'oak', name)
from unnest(array['two', 'three', 'one']) as name;
select tests.membership('ash', 'four', 'manager'), tests.invitation('four', 'ash', 'one', 'four'),
  tests.invite_link('four', 'ash'),
  tests.join_request('four', 'ash', 'four');
select tests.disable_index_scans();

create function pg_temp.by_id()
returns uuid[]
language sql
return array(select id from unnest(tests.ids('one', 'two', 'three')) as id order by id desc);

create function pg_temp.listed(p_operation text)
returns uuid[]
language sql
return tests.item_ids_across_pages(
  p_operation, tests.hub_args('oak'),
  case when p_operation in ('list_members', 'list_admins') then 'userId' else 'id' end
);

create function pg_temp.lists()
returns setof text
language sql
as $$
  select unnest(array['list_members', 'list_admins', 'list_invitations', 'list_invite_links', 'list_join_requests'])
$$;

select tests.authenticate_as('one');
select is(pg_temp.listed(operation), pg_temp.by_id(), operation || ' pages through rows of one moment by id')
from pg_temp.lists() as operation;
reset role;
update app.memberships set joined_at = app.now() - interval '1 hour' where user_id = (pg_temp.by_id())[1];
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = (pg_temp.by_id())[1];
update app.invite_links set created_at = app.now() - interval '1 hour' where id = (pg_temp.by_id())[1];
update app.join_requests set created_at = app.now() - interval '1 hour' where id = (pg_temp.by_id())[1];
select tests.authenticate_as('one');
select is(
  pg_temp.listed(operation), (pg_temp.by_id())[2:] || (pg_temp.by_id())[1],
  operation || ' lists the oldest row last, whatever its id'
)
from pg_temp.lists() as operation;

select * from finish();
rollback;
