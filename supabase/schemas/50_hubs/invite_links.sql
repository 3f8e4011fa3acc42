create table app.invite_links (
  id uuid primary key default app.uuid_v7(),
  hub_id uuid not null references app.hubs (id) on delete cascade,
  token_hash bytea not null,
  max_uses integer,
  use_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  constraint invite_links_token_hash_key unique (token_hash),
  constraint invite_links_token_hash_is_sha256 check (length(token_hash) = 32),
  constraint invite_links_expire_within_30_days check (expires_at <= created_at + interval '30 days'),
  constraint invite_links_max_uses_is_within_limit check (max_uses between 1 and 1000),
  constraint invite_links_are_used_within_limit check (use_count between 0 and coalesce(max_uses, use_count))
);
comment on table app.invite_links is 'Links by which whoever has one may ask to join a Hub (contract.md 8); revoking one removes its row.';

create index invite_links_hub_id_idx on app.invite_links (hub_id, created_at desc, id desc);
create index invite_links_expires_at_idx on app.invite_links (expires_at);

alter table app.invite_links enable row level security;

create policy invite_links_select on app.invite_links for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager'));

create policy invite_links_delete on app.invite_links for delete to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager'));

grant select (id, hub_id, max_uses, use_count, created_at, expires_at) on app.invite_links to authenticated;
grant delete on app.invite_links to authenticated;
