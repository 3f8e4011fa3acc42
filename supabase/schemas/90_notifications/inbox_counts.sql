create table app.inbox_counts (
  user_id uuid not null,
  audience app.audience not null,
  scope_id uuid not null,
  unread_count integer not null,
  change_count bigint not null,
  is_folded boolean not null default false
);
comment on table app.inbox_counts is 'How many notifications of a scope somebody has not read, and how often their inbox has changed: sums of rows, of which triggers add one with each change, so that nobody who is told of something waits for anybody. The worker folds them. No foreign key: it would be looked up for each row, and the notifications have one.';
comment on column app.inbox_counts.unread_count is 'Whether the recipient may see them or not: that is asked when they are read (app.inbox_state).';
comment on column app.inbox_counts.change_count is 'The sum of all is a version that only grows (contract.md 9, "inboxVersion").';

create unique index inbox_counts_folded_key on app.inbox_counts (user_id, audience, scope_id) where is_folded;
create index inbox_counts_user_id_idx on app.inbox_counts (user_id);
create index inbox_counts_unfolded_idx on app.inbox_counts (user_id) where not is_folded;

alter table app.inbox_counts enable row level security;
