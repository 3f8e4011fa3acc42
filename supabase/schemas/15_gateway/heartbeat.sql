create table gateway.heartbeat (
  is_singleton boolean primary key default true,
  beaten_at timestamptz not null,
  constraint heartbeat_is_singleton check (is_singleton)
);
comment on table gateway.heartbeat is 'When a worker last said on the primary that it lives: what a replica shows of it is how old the replica is.';

alter table gateway.heartbeat enable row level security;
