select plan(3);

select bag_eq(
  $$
    select format('%s becomes %s', member::regrole, roleid::regrole)
    from pg_auth_members
    where member::regrole::text ~ '^opine_' and set_option and not inherit_option and not admin_option
  $$,
  array[
    'opine_gateway becomes anon',
    'opine_gateway becomes authenticated',
    'opine_gateway becomes opine_service',
    'opine_gateway becomes staff_admin',
    'opine_gateway becomes staff_moderator',
    'opine_gateway becomes staff_support',
    'opine_serializable becomes anon',
    'opine_serializable becomes authenticated'
  ],
  'the gateway becomes callers, the worker nobody'
);
select is_empty(
  $$
    select member::regrole from pg_auth_members
    where member::regrole::text ~ '^opine_' and (inherit_option or admin_option or not set_option)
  $$,
  'becoming a role takes a step of its own'
);
select is_empty(
  $$
    select member::regrole from pg_auth_members
    where roleid::regrole::text ~ '^(opine|staff)_' and member::regrole::text not in ('postgres', 'opine_gateway', 'staff_support', 'staff_moderator', 'staff_admin')
  $$,
  'no other login becomes a role of the service, the Data API''s least of all'
);

select * from finish();
