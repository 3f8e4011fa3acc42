create table app.milestones (
  id uuid primary key default app.uuid_v7(),
  post_id uuid not null references app.posts (id) on delete cascade,
  next_total integer not null,
  last_total integer not null,
  constraint milestones_are_ahead check (next_total <= last_total)
);
comment on table app.milestones is 'Totals that posts have reached and nobody was told of yet: each from next_total to last_total may be a milestone of somebody (app.fan_out_milestones).';

create index milestones_post_id_idx on app.milestones (post_id);

alter table app.milestones enable row level security;
