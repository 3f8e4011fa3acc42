create table app.fresh_votes (
  post_id uuid not null,
  user_id uuid,
  hub_count integer not null default 0,
  cast_at timestamptz not null default app.now()
);
comment on table app.fresh_votes is 'Votes since the last fold: what is still to be done about each, for milestones and for feeds. Emptied by each fold. No foreign keys, as the receipt has them.';
comment on column app.fresh_votes.user_id is 'Null where the voter became part of somebody who had voted too: it counts, and nobody''s milestones are counted from it.';
comment on column app.fresh_votes.hub_count is 'Into how many more streams of feeds it comes.';
comment on column app.fresh_votes.cast_at is 'In which order they count towards milestones. Nothing else knows it more precisely than to the minute.';

create index fresh_votes_order_idx on app.fresh_votes ((hub_count > 200), cast_at);

alter table app.fresh_votes enable row level security;

grant maintain on app.fresh_votes to opine_worker;
