create table app.default_feed_users (
  user_id uuid primary key references app.users (id) on delete cascade,
  added_at timestamptz not null default app.now()
);
comment on table app.default_feed_users is 'Whose public posts a home feed without sources of its own shows; chosen by staff (spec.md "Home feed rules").';

alter table app.default_feed_users enable row level security;

create policy default_feed_users_select on app.default_feed_users for select to anon, authenticated using (true);

grant select on app.default_feed_users to anon, authenticated;
