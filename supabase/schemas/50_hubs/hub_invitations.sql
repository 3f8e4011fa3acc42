create table app.hub_invitations (
  id uuid primary key default app.uuid_v7(),
  hub_id uuid not null references app.hubs (id) on delete cascade,
  inviter_id uuid not null references app.users (id) on delete cascade,
  phone text not null,
  token_hash bytea not null,
  makes_member boolean not null,
  state app.invitation_state not null default 'pending',
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  constraint hub_invitations_token_hash_key unique (token_hash),
  constraint hub_invitations_token_hash_is_sha256 check (length(token_hash) = 32),
  constraint hub_invitations_phone_is_e164 check (app.are_e164(phone))
);
comment on table app.hub_invitations is 'Invitations of phone numbers, whoever owns them, to Hubs (contract.md 8). Most expire by expires_at alone: see app.state_of.';
comment on column app.hub_invitations.makes_member is 'Whether the inviter was an admin: then, and if they still are, accepting it makes an active member; else it makes a join request.';

create unique index hub_invitations_pending_key on app.hub_invitations (hub_id, inviter_id, phone) where state = 'pending';
create index hub_invitations_phone_idx on app.hub_invitations (phone, hub_id);
create index hub_invitations_hub_id_idx on app.hub_invitations (hub_id, created_at desc, id desc);
create index hub_invitations_inviter_id_idx on app.hub_invitations (inviter_id, hub_id, created_at desc, id desc);
create index hub_invitations_expires_at_idx on app.hub_invitations (expires_at);

alter table app.hub_invitations enable row level security;

create policy hub_invitations_select on app.hub_invitations for select to authenticated
using (
  hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager')
  or (inviter_id = (select app.user_id()) and hub_id in (select mine.hub_id from app.my_hubs as mine))
  or (
    phone = (select own.phone from app.users as own where own.id = (select app.user_id()))
    and inviter_id not in (select b.user_id from app.blocked_users as b)
  )
);

grant select (id, hub_id, inviter_id, phone, state, created_at, expires_at) on app.hub_invitations to authenticated;
