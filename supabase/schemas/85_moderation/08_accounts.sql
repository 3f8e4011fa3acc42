create function staff.phone_hint(p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select left(u.phone, 3) || '…' || right(u.phone, 2) from app.users as u where u.id = p_user_id);
end
$$;
comment on function staff.phone_hint is
  'Returns the first three characters and the last two of an account''s phone, or null without a phone: enough to '
  'recognise a number, too little to learn it.';
grant execute on function staff.phone_hint to staff_support;

-- The whole phone needs staff.unmask_phone, which writes to the audit log.
create view staff.accounts with (security_invoker = true) as
select
  u.id as user_id, p.username, p.full_name, staff.phone_hint(u.id) as phone_hint, u.created_at, u.ended_at,
  s.suspended_at
from app.users as u
left join app.profiles as p on p.user_id = u.id
left join app.suspensions as s on s.user_id = u.id;
comment on view staff.accounts is 'One row per account, as staff sees it.';
grant select on staff.accounts to staff_support;

-- The audit log records the query; of a query that is neither an id nor a username, only its beginning and
-- end.
create function staff.find_accounts(p_query text) returns setof staff.accounts
language plpgsql security definer set search_path = '' as $$
declare
  v_query text := lower(btrim(p_query));
  v_id uuid := case when pg_input_is_valid(v_query, 'uuid') then v_query::uuid end;
begin
  perform staff.audit(staff.actor(), 'find_accounts', jsonb_build_object(
    -- Any other text may be a phone, in any notation.
    'query', case when v_id is not null or v_query ~ '^@?\d*[a-z_][a-z0-9_]*$' then left(v_query, 100)
      else left(v_query, 3) || '…' || right(v_query, 2) end
  ));
  return query
  select a.*
  from staff.accounts as a
  where a.user_id in (
    select u.id from app.users as u where u.id = v_id or u.phone = v_query
    union all
    select p.user_id from app.profiles as p where p.username = ltrim(v_query, '@')
  );
end
$$;
comment on function staff.find_accounts is 'Returns the account of an id, a whole phone (E.164) or a username.';
grant execute on function staff.find_accounts to staff_support;

-- Runs staff.find_accounts.
--
-- Args: q. Returns items.
create function api.find_accounts(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
    'userId', a.user_id,
    'username', a.username,
    'fullName', a.full_name,
    'phoneHint', a.phone_hint,
    'createdAt', app.iso(a.created_at),
    'endedAt', app.iso(a.ended_at),
    'suspendedAt', app.iso(a.suspended_at)
  ) order by a.user_id), '[]'))
  from staff.find_accounts($1 ->> 'q') as a;
end;
comment on function api.find_accounts is 'POST /admin/accounts/find (docs/product.md S5).';
grant execute on function api.find_accounts to staff_support;

-- A direct login in SQL gets the phone only on a second call within ten minutes, after the first has
-- committed.
--
-- Errors: USER_NOT_FOUND, REASON_MISSING.
create function staff.unmask_phone(p_user_id uuid, p_reason text) returns text
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from app.users as u where u.id = p_user_id) then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  perform staff.record('unmask_phone', p_reason, jsonb_build_object('userId', p_user_id));
  -- A direct login could read the phone and roll the audit entry back, so it needs a committed entry first.
  if session_user <> 'opine_gateway' and not staff.is_repeated('unmask_phone', p_user_id) then
    return 'Recorded in the audit log. Repeat the call to see the phone.';
  end if;
  return (select u.phone from app.users as u where u.id = p_user_id);
end
$$;
comment on function staff.unmask_phone is
  'Returns the phone of an account, or null, and writes the reason to the audit log.';
grant execute on function staff.unmask_phone to staff_support;

-- Runs staff.unmask_phone.
--
-- Args: userId, reason. Returns phoneNumber.
create function api.unmask_phone(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select jsonb_build_object('phoneNumber', staff.unmask_phone(($1 ->> 'userId')::uuid, $1 ->> 'reason'));
end;
comment on function api.unmask_phone is 'POST /admin/users/{userId}/unmask (docs/product.md S5).';
grant execute on function api.unmask_phone to staff_support;

create function staff.is_repeated(p_action text, p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from staff.audit_log as l
    where l.actor_email = staff.actor() and l.action = p_action and l.details ->> 'userId' = p_user_id::text
      -- Rows of this transaction have its own time, also after a savepoint.
      and l.occurred_at > app.now() - interval '10 minutes' and l.occurred_at < app.now()
  );
end
$$;
comment on function staff.is_repeated is
  'Returns whether the current member of staff did this to an account in an earlier transaction of the last ten '
  'minutes, by the audit log.';

-- Suspends an account until staff.restore_user: its sessions end at once, sign-in is refused, and its content
-- and activity are hidden from everybody. A Hub without another admin gets one, who stays admin.
--
-- It is a decision unless the account is suspended already. It closes the reports of the account, and of all
-- that the account wrote, deleted content included.
create function staff.suspend_user(p_user_id uuid, p_reason app.report_reason, p_statement text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_target_ids uuid[] := staff.reported_targets_of(p_user_id);
  v_decision_id uuid;
begin
  perform staff.require_statement(p_reason, p_statement);
  perform staff.refuse_own_appealed('account_suspended', p_user_id);
  -- Reports before everything else: who decides about content holds them while it locks the author.
  perform staff.lock_reports_of(v_target_ids);
  -- Lock order: Hubs before the account, as in joins.
  perform app.lock_hubs_of(p_user_id);
  -- A concurrent sign-in locks this row until its session is visible here.
  perform from app.users as u where u.id = p_user_id and u.ended_at is null for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  insert into app.suspensions (user_id) values (p_user_id) on conflict do nothing;
  if found then
    v_decision_id := app.decide(
      'account_suspended', p_reason, p_statement, staff.actor(), 'user', p_user_id,
      (select p.full_name from app.profiles as p where p.user_id = p_user_id), array[p_user_id]
    );
  end if;
  perform app.succeed_admin(m.hub_id, null) from app.memberships as m where m.user_id = p_user_id;
  delete from app.sessions as s where s.user_id = p_user_id;
  delete from app.device_tokens as d where d.user_id = p_user_id;
  perform staff.record_decision(
    'suspend_user', jsonb_build_object('userId', p_user_id), v_target_ids, 'actioned', v_decision_id, p_reason,
    p_statement
  );
end
$$;
comment on function staff.suspend_user is 'Suspends an account by a decision (docs/product.md S11-S14, S18, S25).';
grant execute on function staff.suspend_user to staff_moderator;

create function staff.reported_targets_of(p_user_id uuid) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select p_user_id
    union
    select r.target_id
    from app.evidence as e
    join app.reports as r on r.id = e.report_id
    where e.author_id = p_user_id and r.state = 'open'
  );
end
$$;
comment on function staff.reported_targets_of is 'Returns an account, and what it wrote that has open reports.';

-- Runs staff.suspend_user.
--
-- Args: userId, reason, statement. Returns {}.
create function api.suspend_user(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.suspend_user(($1 ->> 'userId')::uuid, staff.reason_argument($1), $1 ->> 'statement');
  select '{}'::jsonb;
end;
comment on function api.suspend_user is 'POST /admin/users/{userId}/suspend (docs/product.md S10, S11).';
grant execute on function api.suspend_user to staff_moderator;

-- Ends the suspension of an account: its content and activity are visible again, and its owner may sign in.
-- The owner becomes admin of a Hub that everybody else has left. An open appeal is decided as reversed. Not
-- for who took an appealed decision.
create function staff.restore_user(p_user_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform staff.refuse_own_appealed('account_suspended', p_user_id);
  if not staff.lift_suspension(p_user_id) then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  perform staff.record('restore_user', p_reason, jsonb_build_object('userId', p_user_id));
  perform staff.mark_reversed('account_suspended', p_user_id, p_reason);
end
$$;
comment on function staff.restore_user is 'Ends the suspension of an account (docs/product.md S11, S21).';
grant execute on function staff.restore_user to staff_moderator;

-- Returns false if it is not suspended.
create function staff.lift_suspension(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform app.lock_hubs_of(p_user_id);
  delete from app.suspensions as s where s.user_id = p_user_id;
  if not found then
    return false;
  end if;
  -- A Hub that everybody else left during the suspension has no admin.
  perform app.succeed_admin(m.hub_id, null) from app.memberships as m where m.user_id = p_user_id;
  return true;
end
$$;
comment on function staff.lift_suspension is 'Ends the suspension of an account.';

-- Runs staff.restore_user.
--
-- Args: userId, reason. Returns {}.
create function api.restore_user(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.restore_user(($1 ->> 'userId')::uuid, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.restore_user is 'POST /admin/users/{userId}/restore (docs/product.md S11).';
grant execute on function api.restore_user to staff_moderator;

-- Suspends a Hub until staff.restore_hub: it is hidden from everybody, and its members count as non-members.
-- Closes the reports of the Hub. It is a decision that concerns each admin.
create function staff.suspend_hub(p_hub_id uuid, p_reason app.report_reason, p_statement text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_admin_ids uuid[];
  v_decision_id uuid;
begin
  perform staff.require_statement(p_reason, p_statement);
  perform staff.refuse_own_appealed('hub_suspended', p_hub_id);
  perform staff.lock_reports_of(array[p_hub_id]);
  perform app.lock_hub(p_hub_id);
  perform app.require_hub(p_hub_id);
  v_admin_ids := array(select m.user_id from app.memberships as m where m.hub_id = p_hub_id and m.role = 'admin');
  insert into app.suspended_memberships (hub_id, user_id, role, joined_at)
  select m.hub_id, m.user_id, m.role, m.joined_at from app.memberships as m where m.hub_id = p_hub_id;
  delete from app.memberships as m where m.hub_id = p_hub_id;
  update app.hubs as h set suspended_at = app.now() where h.id = p_hub_id;
  v_decision_id := app.decide(
    'hub_suspended', p_reason, p_statement, staff.actor(), 'hub', p_hub_id, (
      select h.name from app.hubs as h where h.id = p_hub_id
    ),
    v_admin_ids
  );
  perform staff.record_decision(
    'suspend_hub', jsonb_build_object('hubId', p_hub_id), array[p_hub_id], 'actioned', v_decision_id, p_reason,
    p_statement
  );
end
$$;
comment on function staff.suspend_hub is 'Suspends a Hub by a decision (docs/product.md S15, S18).';
grant execute on function staff.suspend_hub to staff_moderator;

-- Runs staff.suspend_hub.
--
-- Args: hubId, reason, statement. Returns {}.
create function api.suspend_hub(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.suspend_hub(($1 ->> 'hubId')::uuid, staff.reason_argument($1), $1 ->> 'statement');
  select '{}'::jsonb;
end;
comment on function api.suspend_hub is 'POST /admin/hubs/{hubId}/suspend (docs/product.md S10, S15).';
grant execute on function api.suspend_hub to staff_moderator;

-- Ends the suspension of a Hub: its members are members again, with their roles. A Hub whose admins' accounts
-- have ended gets another admin; a Hub without any remaining account closes. An open appeal is decided as
-- reversed. Not for who took an appealed decision.
create function staff.restore_hub(p_hub_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform staff.refuse_own_appealed('hub_suspended', p_hub_id);
  if not staff.lift_hub_suspension(p_hub_id) then
    raise exception using errcode = 'PT404', message = 'HUB_NOT_FOUND';
  end if;
  perform staff.record('restore_hub', p_reason, jsonb_build_object('hubId', p_hub_id));
  perform staff.mark_reversed('hub_suspended', p_hub_id, p_reason);
end
$$;
comment on function staff.restore_hub is 'Ends the suspension of a Hub (docs/product.md S15, S21).';
grant execute on function staff.restore_hub to staff_moderator;

-- Returns false if it is not suspended.
create function staff.lift_hub_suspension(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform app.lock_hub(p_hub_id);
  update app.hubs as h set suspended_at = null where h.id = p_hub_id and h.suspended_at is not null;
  if not found then
    return false;
  end if;
  with former as (
    delete from app.suspended_memberships as s where s.hub_id = p_hub_id
    returning s.*
  )
  insert into app.memberships (hub_id, user_id, role, joined_at)
  select f.hub_id, f.user_id, f.role, f.joined_at from former as f;
  perform app.succeed_admin(p_hub_id, null);
  update app.hubs as h set closed_at = app.now(), custom_link = null where h.id = p_hub_id and h.member_count = 0;
  return true;
end
$$;
comment on function staff.lift_hub_suspension is 'Ends the suspension of a Hub.';

-- Runs staff.restore_hub.
--
-- Args: hubId, reason. Returns {}.
create function api.restore_hub(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.restore_hub(($1 ->> 'hubId')::uuid, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.restore_hub is 'POST /admin/hubs/{hubId}/restore (docs/product.md S15).';
grant execute on function api.restore_hub to staff_moderator;

create view staff.decisions with (security_invoker = true) as
select d.id, s.user_id, d.action, d.reason, d.statement, d.target_kind, d.target_id, d.excerpt, d.decided_by,
  d.decided_at, d.reversed_at
from app.decisions as d
join app.decision_subjects as s on s.decision_id = d.id;
comment on view staff.decisions is 'One row per decision and person concerned (docs/product.md S18).';
grant select on staff.decisions to staff_moderator;

create function staff.report_json(p_report staff.reports) returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'target', jsonb_build_object(
      'type', p_report.target_kind, 'id', p_report.target_id,
      'excerpt', left(coalesce(nullif(p_report.content, ''), p_report.target_name, ''), 200)
    ),
    'reason', p_report.reason,
    'state', p_report.state,
    'createdAt', app.iso(p_report.created_at)
  );
end;
comment on function staff.report_json is 'Returns a report in the history of an account.';
grant execute on function staff.report_json to staff_moderator;

create function staff.require_account(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from app.users as u where u.id = p_user_id) then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
end
$$;
comment on function staff.require_account is 'Raises USER_NOT_FOUND for an unknown account.';
grant execute on function staff.require_account to staff_moderator;

-- Reads what staff knows of an account: the last 50 reports about it, its posts, comments and messages, the
-- last 50 reports by it, and the last 50 decisions that concern it.
--
-- Args: userId. Returns reportsAbout, reportsBy and decisions, newest first.
create function api.get_account_history(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select staff.require_account(($1 ->> 'userId')::uuid);
  with about as (
    select r as report
    from staff.reports as r
    where r.author_id = ($1 ->> 'userId')::uuid
    order by r.created_at desc, r.id desc
    limit 50
  ),
  given as (
    select r as report
    from staff.reports as r
    where r.reporter_id = ($1 ->> 'userId')::uuid
    order by r.created_at desc, r.id desc
    limit 50
  ),
  decided as (
    select d.*
    from staff.decisions as d
    where d.user_id = ($1 ->> 'userId')::uuid
    order by d.decided_at desc, d.id desc
    limit 50
  )
  select jsonb_build_object(
    'reportsAbout', (
      select coalesce(
        jsonb_agg(staff.report_json(a.report) order by (a.report).created_at desc, (a.report).id desc), '[]'
      )
      from about as a
    ),
    'reportsBy', (
      select coalesce(
        jsonb_agg(staff.report_json(g.report) order by (g.report).created_at desc, (g.report).id desc), '[]'
      )
      from given as g
    ),
    'decisions', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'decisionId', d.id,
        'action', d.action,
        'reason', d.reason,
        'statement', d.statement,
        'target', jsonb_build_object('type', d.target_kind, 'id', d.target_id, 'excerpt', d.excerpt),
        'decidedBy', d.decided_by,
        'decidedAt', app.iso(d.decided_at),
        'reversedAt', app.iso(d.reversed_at)
      ) order by d.decided_at desc, d.id desc), '[]')
      from decided as d
    )
  );
end;
comment on function api.get_account_history is 'GET /admin/users/{userId}/history (docs/product.md S23).';
grant execute on function api.get_account_history to staff_moderator;
