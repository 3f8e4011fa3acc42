create table app.memberships (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  role app.hub_role not null,
  joined_at timestamptz not null default app.now(),
  seen_at timestamptz,
  constraint memberships_pkey primary key (hub_id, user_id)
);
comment on table app.memberships is 'Active members of Hubs, and nobody else (spec.md "Hub"). Rows come and go by the moves of "Hub membership" alone: app.found_hub, app.become_member, app.end_membership.';
comment on column app.memberships.seen_at is 'When they last used the Hub, to five minutes. Not indexed, so that a row is rewritten in place.';

create index memberships_user_id_idx on app.memberships (user_id, hub_id);
create index memberships_joined_at_idx on app.memberships (hub_id, joined_at desc, user_id desc);
create index memberships_staff_idx on app.memberships (hub_id, joined_at desc, user_id desc) where role <> 'member';

alter table app.memberships enable row level security;

create policy memberships_select on app.memberships for select to authenticated
using (
  -- One's own, from which app.my_hubs is made, need no look at any other.
  user_id = (select app.user_id()) or hub_id in (select app.my_hub_ids())
);

grant select on app.memberships to authenticated;

create trigger memberships_totals_after_insert after insert on app.memberships
referencing new table as present
for each statement execute function app.count_members();

create trigger memberships_totals_after_update after update on app.memberships
referencing old table as former new table as present
for each statement execute function app.count_members();

create trigger memberships_totals_after_delete after delete on app.memberships
referencing old table as former
for each statement execute function app.count_members();

create trigger memberships_feed_after_insert after insert on app.memberships
referencing new table as present
for each statement execute function app.bring_acts();

create trigger memberships_feed_after_delete after delete on app.memberships
referencing old table as former
for each statement execute function app.withdraw_acts();

create trigger memberships_end_after_delete after delete on app.memberships
referencing old table as former
for each statement execute function app.note_former_sources('user_id', 'hub_id');

create trigger memberships_name_after_insert after insert on app.memberships
referencing new table as present
for each statement execute function app.name_members();

create trigger memberships_note_inbox_after_change after insert or delete on app.memberships
for each row execute function app.note_inbox_scopes('user_id');
