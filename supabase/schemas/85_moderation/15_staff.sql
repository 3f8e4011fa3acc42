-- Lists staff.allowed_emails with the SQL logins of each.
--
-- Args: none. Returns items.
create function api.list_staff(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
    'email', a.email,
    'role', a.role,
    'addedAt', app.iso(a.added_at),
    'logins', array(select l.login from staff.logins as l where l.email = a.email order by l.login)
  ) order by a.email), '[]'))
  from staff.allowed_emails as a;
end;
comment on function api.list_staff is 'GET /admin/staff (docs/product.md S16).';
grant execute on function api.list_staff to staff_admin;

-- Runs staff.admit, which changes the role of who is staff already.
--
-- Args: email, role, reason. Returns {}.
create function api.admit_staff(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.admit($1 ->> 'email', ($1 ->> 'role')::staff.role, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.admit_staff is 'POST /admin/staff/admit (docs/product.md S16).';
grant execute on function api.admit_staff to staff_admin;

-- Runs staff.dismiss.
--
-- Args: email, reason. Returns {}.
create function api.dismiss_staff(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.dismiss($1 ->> 'email', $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.dismiss_staff is 'POST /admin/staff/dismiss (docs/product.md S16).';
grant execute on function api.dismiss_staff to staff_admin;

-- Lists staff.audit_log, the newest entries first.
--
-- Args: cursor, limit. Returns items and nextCursor.
create function api.list_audit_log(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  with requested as materialized (
    select r.list, r.size, staff.id_before(r.id) as id
    from staff.requested_page('list_audit_log', $1) as r
  ),
  found as (
    select a.*, row_number() over (order by a.id desc) as place
    from staff.audit_log as a
    where a.id < (select q.id from requested as q)
    order by a.id desc
    limit (select q.size + 1 from requested as q)
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'entryId', f.id,
      'occurredAt', app.iso(f.occurred_at),
      'actor', f.actor_email,
      'action', f.action,
      'details', f.details
    ) order by f.place) filter (where f.place <= q.size), '[]'),
    'nextCursor', case when bool_or(f.place > q.size) then
      min(app.encode_cursor(q.list, f.occurred_at, f.id)) filter (where f.place = q.size)
    end
  )
  from requested as q
  left join found as f on true;
end;
comment on function api.list_audit_log is 'GET /admin/audit-log (docs/product.md S6, S16).';
grant execute on function api.list_audit_log to staff_admin;
