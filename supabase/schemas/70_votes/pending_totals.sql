create table app.pending_totals (
  post_id uuid not null references app.posts (id) on delete cascade,
  hub_id uuid not null references app.hubs (id) on delete cascade,
  cast_hour timestamptz not null,
  key_id bytea not null,
  sealed bytea not null,
  constraint pending_totals_pkey primary key (post_id, hub_id, cast_hour, key_id),
  constraint pending_totals_cast_hour_is_one check (cast_hour = date_trunc('hour', cast_hour, 'UTC'))
);
comment on table app.pending_totals is 'What the votes of an hour will add to the pool of a Hub if the post is shared into it in time (spec.md "Vote rules" 4): app.position_counts, sealed, of the same length whatever they count.';
comment on column app.pending_totals.key_id is 'By which key they are sealed (app.key_id).';

create index pending_totals_hub_id_idx on app.pending_totals (hub_id);
create index pending_totals_cast_hour_idx on app.pending_totals (cast_hour);

alter table app.pending_totals enable row level security;

grant maintain on app.pending_totals to opine_worker;
