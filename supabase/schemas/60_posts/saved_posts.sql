create table app.saved_posts (
  user_id uuid not null references app.users (id) on delete cascade,
  post_id uuid not null references app.posts (id) on delete cascade,
  saved_at timestamptz not null default app.now(),
  constraint saved_posts_pkey primary key (user_id, post_id)
);
comment on table app.saved_posts is 'Which posts somebody keeps for later. Nobody else knows.';

create index saved_posts_user_id_idx on app.saved_posts (user_id, saved_at desc, post_id desc);
create index saved_posts_post_id_idx on app.saved_posts (post_id);

alter table app.saved_posts enable row level security;

create policy saved_posts_select on app.saved_posts for select to authenticated
using (user_id = (select app.user_id()));

create policy saved_posts_insert on app.saved_posts for insert to authenticated
with check (user_id = (select app.user_id()) and exists (select from app.posts as p where p.id = saved_posts.post_id));

create policy saved_posts_delete on app.saved_posts for delete to authenticated
using (user_id = (select app.user_id()));

grant select on app.saved_posts to anon, authenticated;
grant insert (user_id, post_id) on app.saved_posts to authenticated;
grant delete on app.saved_posts to authenticated;
