create table app.fan_outs (
  event_id uuid primary key references app.events (id) on delete cascade,
  after_user_id uuid not null default '00000000-0000-0000-0000-000000000000',
  turn_count integer not null default 0
);
comment on table app.fan_outs is 'Events of which too many are to be told for the request in which they happened: the worker''s list.';
comment on column app.fan_outs.turn_count is 'How often it had its turn: what is for a million does not keep what is for a thousand waiting.';
comment on column app.fan_outs.after_user_id is 'The last who was told, in the order of ids.';

create index fan_outs_turn_count_idx on app.fan_outs (turn_count, event_id);

alter table app.fan_outs enable row level security;
