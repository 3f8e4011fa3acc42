create table app.clock (
  is_singleton boolean primary key default true,
  shift interval not null,
  constraint clock_is_singleton check (is_singleton)
);
comment on table app.clock is 'How far app.now() is shifted. Empty wherever people live: see app.set_clock_offset.';

alter table app.clock enable row level security;

create policy clock_select on app.clock for select to anon, authenticated using (true);

grant select on app.clock to anon, authenticated;
