create table app.follows (
  follower_id uuid not null references app.users (id) on delete cascade,
  followee_id uuid not null references app.users (id) on delete cascade,
  is_muted boolean not null default false,
  created_at timestamptz not null default app.now(),
  constraint follows_pkey primary key (follower_id, followee_id),
  constraint follows_are_of_others check (follower_id <> followee_id)
);
comment on table app.follows is 'Who follows whom. Their numbers are kept in app.follow_counts by triggers: a row is made or removed, and never becomes another''s.';
comment on column app.follows.is_muted is 'Whether the follower wants no alerts of what the followee publishes (publicPostsMuted).';

create index follows_follower_id_created_at_idx on app.follows (follower_id, created_at desc, followee_id desc);
create index follows_alerted_idx on app.follows (followee_id, follower_id) where not is_muted;
create index follows_followee_id_created_at_idx on app.follows (followee_id, created_at desc, follower_id desc);

alter table app.follows enable row level security;

create policy follows_select on app.follows for select to authenticated
using (
  -- A block ends follows between its two; one's own follows are read most.
  follower_id = (select app.user_id())
  or followee_id = (select app.user_id())
  or (follower_id not in (select b.user_id from app.blocked_users as b) and followee_id not in (select b.user_id from app.blocked_users as b))
);

create policy follows_update on app.follows for update to authenticated
using (follower_id = (select app.user_id()))
with check (follower_id = (select app.user_id()));

create policy follows_delete on app.follows for delete to authenticated
using (follower_id = (select app.user_id()));

grant select on app.follows to authenticated;
grant update (is_muted) on app.follows to authenticated;
grant delete on app.follows to authenticated;

create trigger follows_count_after_insert after insert on app.follows
referencing new table as changed
for each statement execute function app.count_follows();

create trigger follows_end_after_delete after delete on app.follows
referencing old table as former
for each statement execute function app.note_former_sources('follower_id', 'followee_id');

create trigger follows_count_after_delete after delete on app.follows
referencing old table as changed
for each statement execute function app.count_follows();
