create function gateway.open_hints(p_notification_ids uuid[], p_session_ids uuid[])
returns table (session_id uuid, notification_id uuid, hint jsonb)
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  with told as materialized (
    select due.id, due.recipient_id, due.envelope from app.due_notifications as due where due.id = any (p_notification_ids)
  ),
  inbox as materialized (
    select r.user_id, (app.inbox_state_of(r.user_id)).version from (select distinct t.recipient_id as user_id from told as t) as r
  )
  select s.id, told.id, told.envelope || jsonb_build_object('inboxVersion', inbox.version)
  from told
  join inbox on inbox.user_id = told.recipient_id
  join app.sessions as s on s.user_id = told.recipient_id and s.id = any (p_session_ids)
  order by told.id;
end
$$;
comment on function gateway.open_hints(uuid[], uuid[]) is 'Which of these notifications the streams of these sessions may tell of at the moment, and what (contract.md 9, "Stream"): the recipient''s sessions that have not ended, what is due (app.due_notifications).';

revoke all on function gateway.open_hints(uuid[], uuid[]) from public;
grant execute on function gateway.open_hints(uuid[], uuid[]) to opine_gateway;
