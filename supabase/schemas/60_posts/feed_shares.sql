create table app.feed_shares (
  user_id uuid not null references app.users (id) on delete cascade,
  post_id uuid not null references app.posts (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  shared_at timestamptz not null default app.now(),
  constraint feed_shares_pkey primary key (user_id, post_id)
);
comment on table app.feed_shares is 'What people share to their own feeds, each post at the last time (spec.md "Profile feed rules").';

create index feed_shares_user_id_idx on app.feed_shares (user_id, shared_at desc, post_id desc);
create index feed_shares_post_id_idx on app.feed_shares (post_id);

alter table app.feed_shares enable row level security;

create policy feed_shares_select on app.feed_shares for select to anon, authenticated
using (
  exists (select from app.posts as p where p.id = feed_shares.post_id)
  and user_id not in (select h.user_id from app.users_hidden_from_all as h)
);

create policy feed_shares_insert on app.feed_shares for insert to authenticated
with check (user_id = (select app.user_id()) and exists (select from app.posts as p where p.id = feed_shares.post_id));

create policy feed_shares_update on app.feed_shares for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()));

grant select on app.feed_shares to anon, authenticated;
grant insert (user_id, post_id) on app.feed_shares to authenticated;
grant update (id) on app.feed_shares to authenticated;

create trigger feed_shares_hold_post_before_insert before insert on app.feed_shares
for each row execute function app.hold_post('post_id');

create trigger feed_shares_note_after_insert after insert on app.feed_shares
for each row execute function app.note_feed_share();

create trigger feed_shares_renew_before_update before update of id on app.feed_shares
for each row execute function app.renew_feed_share();

create trigger feed_shares_note_after_update after update of id on app.feed_shares
for each row execute function app.note_feed_share();
