-- Appeals against the suspension of an account, which opens no session.
--
-- Args: decisionId and userId (from the appeal token, which the service has verified), text, addressHash
-- (null where addresses do not count). Returns the decision.
create function api.appeal_suspension(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_decision_id uuid := (p_args ->> 'decisionId')::uuid;
  v_user_id uuid := (p_args ->> 'userId')::uuid;
begin
  perform app.require_rate_limit('appeals', p_args ->> 'addressHash', 60, interval '1 hour');
  perform app.require_arguments(p_args, 'text');
  -- The account may have ended, or been restored, since the token was issued.
  if (app.suspension_of(v_user_id) ->> 'decisionId')::uuid is distinct from v_decision_id then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  perform app.require_appealable(v_decision_id, v_user_id);
  insert into app.appeals (decision_id, user_id, text)
  values (v_decision_id, v_user_id, app.text_argument(p_args, 'text', 1, 2000));
  return app.decision_json(v_decision_id);
end
$$;
comment on function api.appeal_suspension is 'POST /moderation-appeals (docs/product.md S20).';
grant execute on function api.appeal_suspension to opine_service;

create function app.suspension_of(p_user_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_strip_nulls(jsonb_build_object(
      'decisionId', d.id, 'statement', d.statement, 'userId', p_user_id,
      'appealState', (select a.state from app.appeals as a where a.decision_id = d.id)
    ))
    from app.suspensions as suspended
    join app.decision_subjects as s on s.user_id = suspended.user_id
    join app.decisions as d on d.id = s.decision_id
    where suspended.user_id = p_user_id and d.action = 'account_suspended' and d.reversed_at is null
    order by d.decided_at desc
    limit 1
  );
end
$$;
comment on function app.suspension_of is
  'Returns the details of ACCOUNT_SUSPENDED: decisionId, statement, appealState after an appeal, and userId '
  'for the appeal token of the service; null if the account is not suspended, or without a decision.';

-- After the insert, whose lock on the user comes before or after staff.suspend_user: triggers of foreign keys
-- run first, by their names.
--
-- Raises ACCOUNT_SUSPENDED with app.suspension_of.
create function app.refuse_suspended() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from app.suspensions as s where s.user_id = new.user_id) then
    raise exception using errcode = 'PT403', message = 'ACCOUNT_SUSPENDED',
      detail = coalesce(app.suspension_of(new.user_id), '{}')::text;
  end if;
  return null;
end
$$;
comment on function app.refuse_suspended is 'Trigger: a suspended account opens no session (docs/product.md I20).';

create trigger sessions_refuse_suspended_after_insert after insert on app.sessions
for each row execute function app.refuse_suspended();
