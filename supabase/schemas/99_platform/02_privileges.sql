-- Postgres lets everybody run a new function. Whoever may run one of ours is named beside it.
revoke execute on all routines in schema app, api, gateway, staff from public;
