-- Postgres lets every role execute a new function. The grants stand beside each function.
revoke execute on all routines in schema app, api, gateway, staff from public;

-- A read names its operation in the login's own statement, in which gateway.begin_read sets the caller's
-- role.
grant execute on all functions in schema api to opine_gateway;
