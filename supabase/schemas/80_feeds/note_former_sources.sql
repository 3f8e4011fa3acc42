create function app.note_former_sources()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  execute format(
    'insert into app.former_sources (user_id, source_id)
    select u.id, former.%2$I from former join app.users as u on u.id = former.%1$I order by 1, 2
    on conflict (user_id, source_id) do update set ended_at = excluded.ended_at, ended_by = excluded.ended_by',
    tg_argv[0], tg_argv[1]
  );
  return null;
end
$$;
comment on function app.note_former_sources() is 'After follows or memberships have ended: keeps whose streams were read by whom, the columns that are the trigger''s arguments.';

revoke all on function app.note_former_sources() from public;
