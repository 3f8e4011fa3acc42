-- Postgres lets every role execute a new function. The grants stand beside each function.
revoke execute on all routines in schema app, api, gateway, staff from public;

-- A read names its operation in the login's own statement, which gateway.begin_read turns into one of the caller's role.
grant execute on all functions in schema api to opine_gateway;
