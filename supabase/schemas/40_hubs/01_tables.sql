create type app.hub_role as enum ('member', 'manager', 'admin');
comment on type app.hub_role is
  'The role of a member in a Hub, in ascending order: each role includes the rights of the ones before it '
  '(docs/product.md H8).';

create type app.membership_status as (status text, role app.hub_role, invitation_id uuid, join_request_id uuid);
comment on type app.membership_status is
  'The relation of the caller to a Hub: viewerStatus, the role of a member, and the open invitation or join request '
  '(docs/product.md H4).';

-- An expired invitation may still be stored as pending: see app.state_of.
create type app.invitation_state as enum ('pending', 'accepted', 'declined', 'expired');
comment on type app.invitation_state is 'The state of an invitation (docs/product.md H13).';

create type app.join_request_source as enum ('invite_link', 'member_invitation');
comment on type app.join_request_source is 'How a join request came about (docs/product.md H22).';

-- A withdrawn one is gone for everybody (docs/product.md H27).
create type app.join_request_state as enum ('pending_admin_approval', 'approved', 'rejected', 'withdrawn');
comment on type app.join_request_state is 'The state of a join request (docs/product.md H22).';

-- The existence of an open Hub is public; app.hub_card decides which fields a caller reads.
create table app.hubs (
  id uuid primary key default app.uuid_v7(),
  name text not null,
  description text not null default '',
  photo_asset_id uuid references app.assets (id) on delete restrict,
  custom_link text collate "C",
  search_name text collate "C" not null generated always as (app.search_key(name)) stored,
  member_count integer not null default 0,
  last_activity_at timestamptz not null default app.now(),
  closed_at timestamptz,
  suspended_at timestamptz,
  is_open boolean not null generated always as (closed_at is null and suspended_at is null) stored,
  constraint hubs_custom_link_key unique (custom_link),
  constraint hubs_custom_link_is_canonical check (custom_link ~ '^[a-z0-9-]{3,40}$'),
  constraint hubs_name_length check (char_length(btrim(name)) >= 2 and char_length(name) <= 80),
  constraint hubs_name_plain check (app.is_plain_name(name)),
  constraint hubs_description_length check (char_length(description) <= 500),
  constraint hubs_description_visible check (description = '' or app.has_visible_character(description)),
  constraint hubs_closed_are_empty check (closed_at is null or (member_count = 0 and custom_link is null)),
  constraint hubs_suspended_are_empty check (suspended_at is null or member_count = 0)
);
comment on table app.hubs is 'One row per Hub, a private group (docs/product.md H1, H3).';
comment on column app.hubs.member_count is
  'Number of rows in app.memberships, maintained by the triggers of that table.';
comment on column app.hubs.last_activity_at is 'Time of the last placement or discussion message in the Hub.';
comment on column app.hubs.closed_at is
  'Time when the Hub closed: its last member left, or an admin closed it; null until then. No caller sees a closed '
  'Hub, and the worker removes it in batches.';
comment on column app.hubs.suspended_at is
  'Time when staff suspended the Hub; null otherwise. Its members are in app.suspended_memberships until staff '
  'restores it.';
comment on column app.hubs.is_open is 'Whether callers can see the Hub: it is neither closed nor suspended.';
create index hubs_photo_asset_id_idx on app.hubs (photo_asset_id);
create index hubs_closed_at_idx on app.hubs (closed_at) where closed_at is not null;
create index hubs_search_name_idx on app.hubs (search_name, id);
create index hubs_last_word_idx on app.hubs (app.last_word(search_name), id);
create index hubs_fuzzy_idx on app.hubs using gin (
  (coalesce(custom_link, '') || ' ' || app.trigram_key(search_name)) extensions.gin_trgm_ops
)
  with (fastupdate = off);
create index hubs_words_idx on app.hubs using gin (app.word_vector(coalesce(custom_link, '') || ' ' || name))
  with (fastupdate = off);
alter table app.hubs enable row level security;
grant select on app.hubs to anon, authenticated;
grant update (name, description, custom_link) on app.hubs to authenticated;

-- Only the transitions of H10 insert and delete rows (app.insert_hub, app.become_member,
-- app.delete_memberships), and staff who suspend or restore a Hub.
create table app.memberships (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  role app.hub_role not null,
  joined_at timestamptz not null default app.now(),
  seen_at timestamptz,
  removes_posts boolean not null default false,
  constraint memberships_pkey primary key (hub_id, user_id)
);
comment on table app.memberships is 'One row per active member of a Hub (docs/product.md H2, H10).';
comment on column app.memberships.seen_at is
  'Time of the member''s last use of the Hub, to five minutes. The column has no index, so updates of it stay in place '
  '(HOT).';
comment on column app.memberships.removes_posts is
  'Set before the end of a membership that takes along what the member placed in the Hub (docs/product.md H31).';
create index memberships_user_id_idx on app.memberships (user_id, hub_id);
create index memberships_joined_at_idx on app.memberships (hub_id, joined_at desc, user_id desc);
create index memberships_staff_idx on app.memberships (hub_id, joined_at desc, user_id desc) where role <> 'member';
alter table app.memberships enable row level security;
grant select on app.memberships to authenticated;

-- A mute outlives the membership and applies again on return.
create table app.hub_mutes (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  constraint hub_mutes_pkey primary key (hub_id, user_id)
);
comment on table app.hub_mutes is 'One row per Hub and user who muted it (contentMuted) (docs/product.md H25).';
create index hub_mutes_user_id_idx on app.hub_mutes (user_id);
alter table app.hub_mutes enable row level security;
grant select on app.hub_mutes to authenticated;
grant insert (hub_id, user_id) on app.hub_mutes to authenticated;
grant delete on app.hub_mutes to authenticated;

-- Most invitations expire by expires_at alone: see app.state_of.
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
comment on table app.hub_invitations is
  'One row per invitation of a phone number to a Hub, whether or not the number has an account (docs/product.md H11, '
  'H13).';
comment on column app.hub_invitations.makes_member is
  'Whether the inviter was an admin at the time of the invitation. Accepting makes an active member if the inviter is '
  'still an admin, and a join request otherwise.';
create unique index hub_invitations_pending_key
  on app.hub_invitations (hub_id, inviter_id, phone) where state = 'pending';
create index hub_invitations_phone_idx on app.hub_invitations (phone, hub_id);
create index hub_invitations_hub_id_idx on app.hub_invitations (hub_id, created_at desc, id desc);
create index hub_invitations_inviter_id_idx on app.hub_invitations (inviter_id, hub_id, created_at desc, id desc);
create index hub_invitations_expires_at_idx on app.hub_invitations (expires_at);
alter table app.hub_invitations enable row level security;
grant select (id, hub_id, inviter_id, phone, state, created_at, expires_at) on app.hub_invitations to authenticated;

-- The holder of the token may request to join. Revoking a link deletes its row, and so does the end of its
-- creator's membership.
create table app.invite_links (
  id uuid primary key default app.uuid_v7(),
  hub_id uuid not null references app.hubs (id) on delete cascade,
  creator_id uuid not null references app.users (id) on delete cascade,
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
comment on table app.invite_links is 'One row per invite link of a Hub (docs/product.md H19, H20).';
create index invite_links_hub_id_idx on app.invite_links (hub_id, created_at desc, id desc);
create index invite_links_creator_id_idx on app.invite_links (creator_id, hub_id);
create index invite_links_expires_at_idx on app.invite_links (expires_at);
alter table app.invite_links enable row level security;
grant select (id, hub_id, max_uses, use_count, created_at, expires_at) on app.invite_links to authenticated;
grant delete on app.invite_links to authenticated;

-- A withdrawn one stays for a week, to count repeats.
create table app.join_requests (
  id uuid primary key default app.uuid_v7(),
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  source app.join_request_source not null,
  state app.join_request_state not null default 'pending_admin_approval',
  link_id uuid,
  is_repeat boolean not null default false,
  created_at timestamptz not null default app.now(),
  ended_at timestamptz
);
comment on table app.join_requests is
  'One row per request of a user to join a Hub, decided requests included (docs/product.md H10, H22).';
comment on column app.join_requests.link_id is
  'The invite link that the request uses; null for an invitation, and once the use is given back. No foreign key: the '
  'deletion of a link would lock its requests in the wrong order.';
comment on column app.join_requests.is_repeat is
  'Whether another request of the user to the Hub was withdrawn or rejected in the 7 days before (docs/product.md '
  'H30).';
comment on column app.join_requests.ended_at is
  'Time when the request was approved, rejected or withdrawn; null before.';
create unique index join_requests_pending_key
  on app.join_requests (hub_id, user_id) where state = 'pending_admin_approval';
create index join_requests_hub_id_idx on app.join_requests (hub_id, created_at desc, id desc);
create index join_requests_withdrawn_idx on app.join_requests (ended_at) where state = 'withdrawn';
create index join_requests_user_id_idx on app.join_requests (user_id, created_at desc);
alter table app.join_requests enable row level security;
grant select on app.join_requests to authenticated;

-- The triggers of app.memberships only insert differences, so writers never wait for each other; the worker
-- folds the rows. activeUsers24h sums one day of slots, whatever the number of members.
create table app.hub_presence (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  seen_in timestamptz not null,
  member_count integer not null,
  is_folded boolean not null default false
);
comment on table app.hub_presence is
  'Number of members of a Hub last seen in each slot of five minutes (seen_in is its start).';
create unique index hub_presence_folded_key on app.hub_presence (hub_id, seen_in) where is_folded;
create index hub_presence_hub_id_idx on app.hub_presence (hub_id, seen_in) include (member_count);
create index hub_presence_unfolded_idx on app.hub_presence (hub_id) where not is_folded;
create index hub_presence_seen_in_idx on app.hub_presence (seen_in);
alter table app.hub_presence enable row level security;

-- Its user is a non-member for every rule until staff restores the Hub and the membership returns.
create table app.suspended_memberships (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  role app.hub_role not null,
  joined_at timestamptz not null,
  constraint suspended_memberships_pkey primary key (hub_id, user_id)
);
comment on table app.suspended_memberships is 'One row per membership of a Hub that staff has suspended, as it was.';
create index suspended_memberships_user_id_idx on app.suspended_memberships (user_id);
alter table app.suspended_memberships enable row level security;

-- Triggers per row with a WHEN clause, because most updates of a Hub change only its counters.
create trigger hubs_release_photo_after_update after update of photo_asset_id on app.hubs
for each row when (old.photo_asset_id is distinct from new.photo_asset_id)
execute function app.delete_former_asset('photo_asset_id');

create trigger hubs_release_photo_after_delete after delete on app.hubs
for each row when (old.photo_asset_id is not null)
execute function app.delete_former_asset('photo_asset_id');
