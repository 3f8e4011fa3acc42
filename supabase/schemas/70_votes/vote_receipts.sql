create table app.vote_receipts (
  post_id uuid not null references app.posts (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  voted_at timestamptz not null,
  hub_ids uuid[] not null default '{}',
  baseline integer,
  constraint vote_receipts_pkey primary key (post_id, user_id),
  constraint vote_receipts_voted_at_is_coarse check (extract(second from voted_at) = 0)
);
comment on table app.vote_receipts is 'Who voted on which post, to the minute, and in which Hubs that counted; never the position. See docs/vote-secrecy.md.';
comment on column app.vote_receipts.hub_ids is 'The Hubs in whose pools the vote counted; it counted in the global one too unless the post is private. No rows of their own, so that a vote in many Hubs is as quick as any.';
comment on column app.vote_receipts.baseline is 'The how many-th global vote on the post it was: what milestones of the voter are counted from (spec.md "Notification types"). Null until the fold, and of private posts.';

create index vote_receipts_user_id_idx on app.vote_receipts (user_id);
create index vote_receipts_milestones_idx on app.vote_receipts (post_id, (baseline % 500), baseline) where baseline is not null;

alter table app.vote_receipts enable row level security;

create policy vote_receipts_select on app.vote_receipts for select to authenticated
using (user_id = (select app.user_id()));

grant select (post_id, user_id, voted_at) on app.vote_receipts to anon, authenticated;
grant maintain on app.vote_receipts to opine_worker;
