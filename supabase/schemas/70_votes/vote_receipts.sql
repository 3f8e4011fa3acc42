create table app.vote_receipts (
  post_id uuid not null references app.posts (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  voted_at timestamptz not null,
  constraint vote_receipts_pkey primary key (post_id, user_id),
  constraint vote_receipts_voted_at_is_coarse check (extract(second from voted_at) = 0)
);
comment on table app.vote_receipts is 'Who voted on which post, to the minute; never where. See docs/decisions/003-votes.md.';

create index vote_receipts_user_id_idx on app.vote_receipts (user_id);

alter table app.vote_receipts enable row level security;

create policy vote_receipts_select on app.vote_receipts for select to authenticated
using (user_id = (select app.user_id()));

grant select on app.vote_receipts to anon, authenticated;
