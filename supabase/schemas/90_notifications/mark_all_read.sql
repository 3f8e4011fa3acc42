create function app.mark_all_read()
returns bigint
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_count bigint;
begin
  with unread as materialized (
    select n.id
    from app.inbox_scopes as s
    join app.notifications as n on n.recipient_id = s.user_id and n.audience = s.audience and n.scope_id = s.scope_id
    where s.user_id = app.user_id() and n.read_at is null
      and n.id not in (select w.id from app.withheld_notifications as w where w.recipient_id = app.user_id())
    -- Who marks all in two places at once does so one after the other.
    order by n.id
    for no key update of n
  )
  update app.notifications as n
  set read_at = app.now()
  from unread
  where n.id = unread.id and n.read_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function app.mark_all_read() is 'Marks as read all that the caller may see; answers how many were unread.';

revoke all on function app.mark_all_read() from public;
