create table app.follow_counts (
  user_id uuid primary key references app.users (id) on delete cascade,
  follower_count integer not null,
  following_count integer not null,
  constraint follow_counts_are_not_negative check (follower_count >= 0 and following_count >= 0)
);
comment on table app.follow_counts is 'How many rows of app.follows name somebody on either side, kept by its triggers. No row means none.';

alter table app.follow_counts enable row level security;

create policy follow_counts_select on app.follow_counts for select to anon, authenticated using (true);

grant select on app.follow_counts to anon, authenticated;
