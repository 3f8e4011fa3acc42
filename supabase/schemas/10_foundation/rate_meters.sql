create table app.rate_meters (
  kind text not null,
  subject text not null,
  empty_at timestamptz not null,
  used_at timestamptz not null,
  constraint rate_meters_pkey primary key (kind, subject)
);
comment on table app.rate_meters is 'How much of a limit is used, here so that it holds for all processes together. Each use fills a meter by its share of the window, time drains it: at empty_at all of the limit is free again.';
comment on column app.rate_meters.subject is 'Whose limit it is: the id of a user or a session, the keyed hash of an address, or empty for the whole service.';
comment on column app.rate_meters.used_at is 'The latest time that a use has seen: one that began earlier and waited for the row counts as of then.';

create index rate_meters_empty_at_idx on app.rate_meters (empty_at);

alter table app.rate_meters enable row level security;
