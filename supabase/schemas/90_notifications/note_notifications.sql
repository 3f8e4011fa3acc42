create function app.note_notifications()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' then
    insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
    select f.recipient_id, f.audience, f.scope_id, -count(*) filter (where f.read_at is null), 1
    from former as f
    group by f.recipient_id, f.audience, f.scope_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
    select p.recipient_id, p.audience, p.scope_id, count(*) filter (where p.read_at is null), 1
    from present as p
    group by p.recipient_id, p.audience, p.scope_id;
  end if;
  if tg_op = 'INSERT' then
    insert into app.outbox (notification_id, due_at) select p.id, app.now() from present as p;
  end if;
  return null;
end
$$;
comment on function app.note_notifications() is 'After notifications came, were read, or went: counts what is unread, and brings new ones into the outbox, in the same transaction.';

revoke all on function app.note_notifications() from public;
