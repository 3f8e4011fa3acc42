create type app.list_entry as (at timestamptz, id uuid);
comment on type app.list_entry is 'What stands at one place of a list in time order, and what its cursor is made of.';
