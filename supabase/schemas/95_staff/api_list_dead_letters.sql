create function api.list_dead_letters(jsonb)
returns jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  with found as (
    select d.*, asked.size, row_number() over (order by d.died_at, d.id) as place
    from staff.page_asked($1) as asked
    join staff.dead_letters as d on (d.died_at, d.id) > (asked.at, asked.id)
    order by d.died_at, d.id
    limit (select asked.size + 1 from staff.page_asked($1) as asked)
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'deadLetterId', f.id,
      'notificationId', f.notification_id,
      'type', f.type,
      'recipientId', f.recipient_id,
      'channel', f.channel,
      'attemptCount', f.attempt_count,
      'failure', f.failure,
      'diedAt', app.iso(f.died_at)
    ) order by f.place) filter (where f.place <= f.size), '[]'),
    'nextCursor', case when bool_or(f.place > f.size) then
      min(app.encode_cursor(f.died_at, f.id)) filter (where f.place = f.size)
    end
  )
  from found as f;
end;
comment on function api.list_dead_letters(jsonb) is 'GET /admin/dead-letters: staff.dead_letters as an operation. Takes cursor and limit; answers items, oldest first, and nextCursor. Raises UNAUTHORIZED and FORBIDDEN in the gateway, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_dead_letters(jsonb) from public;
grant execute on function api.list_dead_letters(jsonb) to staff_admin;
