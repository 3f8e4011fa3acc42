create type app.hub_role as enum ('member', 'manager', 'admin');
comment on type app.hub_role is 'What a member may do in a Hub (contract.md 8); whoever comes later may do what the ones before may.';
