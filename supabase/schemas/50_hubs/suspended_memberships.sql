create table app.suspended_memberships (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  role app.hub_role not null,
  joined_at timestamptz not null,
  constraint suspended_memberships_pkey primary key (hub_id, user_id)
);
comment on table app.suspended_memberships is 'Members of Hubs that staff has suspended, as they were: while they are here they are no members, and every rule holds for them as for anybody. They come back when the Hub is restored.';

create index suspended_memberships_user_id_idx on app.suspended_memberships (user_id);

alter table app.suspended_memberships enable row level security;
