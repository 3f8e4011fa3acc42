create extension if not exists btree_gin with schema extensions;

create extension if not exists pg_trgm with schema extensions;

create extension if not exists pgcrypto with schema extensions;

-- Private: no client reads it directly.
create schema app;

comment on schema app is 'Tables and rules.';

-- The only schema that a client may reach.
create schema api;

comment on schema api is 'One function per operation: api.<operation_id>(p_args jsonb) returns jsonb.';

create schema gateway;

comment on schema gateway is
  'Functions for the login roles of the service: they set the claims of a caller and run one operation.';

-- Private to the service and to staff.
create schema staff;

comment on schema staff is 'Data and functions of staff, who is staff, and the audit log.';

grant usage on schema api to anon, authenticated, opine_service, opine_staff, opine_gateway, opine_serializable;

grant usage on schema app to anon, authenticated, opine_worker;

grant usage on schema gateway to opine_gateway, opine_serializable, opine_worker;
