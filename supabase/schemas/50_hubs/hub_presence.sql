create table app.hub_presence (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  seen_in timestamptz not null,
  member_count integer not null,
  is_folded boolean not null default false
);
comment on table app.hub_presence is 'How many members of a Hub were last seen in which five minutes (which begin at seen_in): activeUsers24h is the sum of a day, however many members there are. The triggers of app.memberships only add rows, of one more and one less, so that nobody waits for anybody; the worker folds them.';

create unique index hub_presence_folded_key on app.hub_presence (hub_id, seen_in) where is_folded;
create index hub_presence_hub_id_idx on app.hub_presence (hub_id, seen_in) include (member_count);
create index hub_presence_unfolded_idx on app.hub_presence (hub_id) where not is_folded;
create index hub_presence_seen_in_idx on app.hub_presence (seen_in);

alter table app.hub_presence enable row level security;
