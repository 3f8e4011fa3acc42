create table app.vote_slots (
  generation smallint not null default app.slot_generation(),
  post_id uuid not null,
  hub_id uuid,
  scope_id uuid generated always as (coalesce(hub_id, post_id)) stored,
  slot integer not null,
  strong_left_count bigint not null default 0,
  left_count bigint not null default 0,
  neutral_count bigint not null default 0,
  right_count bigint not null default 0,
  strong_right_count bigint not null default 0,
  constraint vote_slots_pkey primary key (post_id, scope_id, slot, generation)
) partition by list (generation);

create table app.vote_slots_even partition of app.vote_slots for values in (0);
create table app.vote_slots_odd partition of app.vote_slots for values in (1);

comment on table app.vote_slots is 'What was counted since the last fold, as app.vote_pools. Emptied by the fold, half by half. No foreign keys: each would be looked up for each vote and Hub, and the fold passes over what has gone.';
comment on column app.vote_slots.generation is 'Which of two tables it is in, by turns: into one nobody writes, so that the fold is in nobody''s way, and that once it is empty Postgres cuts its file off, with all that was ever in it.';
comment on table app.vote_slots_even is 'Slots of even generations.';
comment on table app.vote_slots_odd is 'Slots of odd generations.';
comment on column app.vote_slots.slot is 'Which backend counted, by its process id, so that votes at once do not wait for one row.';

-- Statistics would keep former counts.
alter table app.vote_slots alter column strong_left_count set statistics 0;
alter table app.vote_slots alter column left_count set statistics 0;
alter table app.vote_slots alter column neutral_count set statistics 0;
alter table app.vote_slots alter column right_count set statistics 0;
alter table app.vote_slots alter column strong_right_count set statistics 0;

-- No policy, as with pools.
alter table app.vote_slots enable row level security;
alter table app.vote_slots_even enable row level security;
alter table app.vote_slots_odd enable row level security;

grant maintain on app.vote_slots, app.vote_slots_even, app.vote_slots_odd to opine_worker;
