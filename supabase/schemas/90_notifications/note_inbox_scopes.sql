create function app.note_inbox_scopes()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_row jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
begin
  insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
  select person.id, 'everybody', person.id, 0, 1
  from (select (v_row ->> arg.name)::uuid as id from unnest(tg_argv) as arg (name)) as person;
  return null;
end
$$;
comment on function app.note_inbox_scopes() is 'After something has changed that decides what people may see of their inboxes: notes that these have changed. Who they are stands in the columns that are the trigger''s arguments.';

revoke all on function app.note_inbox_scopes() from public;
