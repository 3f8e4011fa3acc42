-- Postgres lets every role execute a new function. The grants stand beside each function.
revoke execute on all routines in schema app, api, gateway, staff from public;
