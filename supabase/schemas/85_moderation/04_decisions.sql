-- Lists the decisions of staff that concern the caller, newest first.
--
-- Args: cursor, limit. Returns items and nextCursor.
create function api.list_moderation_decisions(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_moderation_decisions', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(1);
  v_page := array(
    select (d.decided_at, d.id)::app.list_entry
    from app.decisions as d
    where d.id in (select own.decision_id from app.decision_subjects as own where own.user_id = app.user_id())
      and (d.decided_at, d.id) < (v_from.at, v_from.id)
    order by d.decided_at desc, d.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(app.decision_json(entry.id) order by entry.place), '[]')
      from unnest(v_page[:v_limit]) with ordinality as entry (at, id, place)
    ),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_moderation_decisions is 'GET /users/me/moderation-decisions (docs/product.md S18).';
grant execute on function api.list_moderation_decisions to authenticated;

create function app.decision_json(p_decision_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', d.id,
      'action', d.action,
      'reason', d.reason,
      'statement', d.statement,
      'target', jsonb_build_object('type', d.target_kind, 'id', d.target_id, 'excerpt', d.excerpt),
      'decidedAt', app.iso(d.decided_at),
      'appeal', case when a.decision_id is not null then
        jsonb_build_object('state', a.state, 'text', a.text, 'decidedAt', app.iso(a.decided_at))
      end
    )
    from app.decisions as d
    left join app.appeals as a on a.decision_id = d.id
    where d.id = p_decision_id
  );
end
$$;
comment on function app.decision_json is
  'Returns a decision as the people concerned see it (docs/product.md S18); null for a decision that the caller may '
  'not see.';
grant execute on function app.decision_json to authenticated;

-- Appeals against a decision that concerns the caller.
--
-- Args: decisionId, text. Returns the decision.
create function api.appeal_decision(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_decision_id uuid := (p_args ->> 'decisionId')::uuid;
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'text');
  perform app.require_appealable(v_decision_id, app.user_id());
  insert into app.appeals (decision_id, user_id, text)
  values (v_decision_id, app.user_id(), app.text_argument(p_args, 'text', 1, 2000));
  return app.decision_json(v_decision_id);
end
$$;
comment on function api.appeal_decision is 'POST /moderation-decisions/{decisionId}/appeal (docs/product.md S20).';
grant execute on function api.appeal_decision to authenticated;

-- Errors: DECISION_NOT_FOUND (also for one that concerns others only), APPEAL_EXISTS, APPEAL_TOO_LATE.
create function app.require_appealable(p_decision_id uuid, p_user_id uuid) returns void
language plpgsql stable set search_path = '' as $$
declare
  v_decided_at timestamptz := (
    select d.decided_at
    from app.decisions as d
    join app.decision_subjects as own on own.decision_id = d.id and own.user_id = p_user_id
    where d.id = p_decision_id
  );
begin
  if v_decided_at is null then
    raise exception using errcode = 'PT404', message = 'DECISION_NOT_FOUND';
  end if;
  if exists (select from app.appeals as a where a.decision_id = p_decision_id) then
    raise exception using errcode = 'PT409', message = 'APPEAL_EXISTS';
  end if;
  if v_decided_at <= app.now() - app.appeal_period() then
    raise exception using errcode = 'PT409', message = 'APPEAL_TOO_LATE';
  end if;
end
$$;
comment on function app.require_appealable is 'Raises unless a person may appeal against a decision.';
grant execute on function app.require_appealable to authenticated;

create function app.appeal_period() returns interval
language plpgsql immutable set search_path = '' as $$
begin
  return interval '180 days';
end
$$;
comment on function app.appeal_period is
  'Returns how long after a decision the people concerned may appeal, and what was removed is kept.';
grant execute on function app.appeal_period to authenticated;

-- Args: the decision, p_subject_ids. Returns its id.
create function app.decide(
  p_action app.decision_action, p_reason app.report_reason, p_statement text, p_decided_by text,
  p_target_kind app.target_kind,
  p_target_id uuid, p_excerpt text, p_subject_ids uuid[]
) returns uuid
language plpgsql set search_path = '' as $$
declare
  v_decision_id uuid;
begin
  insert into app.decisions (action, reason, statement, decided_by, target_kind, target_id, excerpt)
  values (
    p_action, p_reason, btrim(p_statement), p_decided_by, p_target_kind, p_target_id, left(coalesce(p_excerpt, ''), 200)
  )
  returning id into v_decision_id;
  insert into app.decision_subjects (decision_id, user_id)
  select v_decision_id, u.id from app.users as u where u.id = any (p_subject_ids) and u.ended_at is null;
  perform app.notify_subjects(v_decision_id);
  return v_decision_id;
end
$$;
comment on function app.decide is 'Inserts a decision of staff, and notifies the people concerned.';

create function app.notify_subjects(p_decision_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.emit('moderation_decided', p_actor_id => null, p_subject_id => s.user_id, p_decision_id => p_decision_id)
  from app.decision_subjects as s
  where s.decision_id = p_decision_id;
end
$$;
comment on function app.notify_subjects is
  'Notifies the people concerned of a decision, or of the end of the appeal against it.';

create function app.prune_removed_contents() returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_due uuid[] := array(
    select d.id
    from app.decisions as d
    left join app.appeals as a on a.decision_id = d.id
    where d.action = 'content_removed' and d.reversed_at is null
      and (a.state = 'upheld' or a.decision_id is null and d.decided_at <= app.now() - app.appeal_period())
      and (
        exists (select from app.removed_contents as k where k.decision_id = d.id)
        or exists (select from app.posts as p where p.id = d.target_id and p.removed_at is not null)
      )
    order by d.decided_at
    limit 20
  );
begin
  delete from app.removed_contents as k where k.decision_id = any (v_due);
  perform app.delete_post(p.id)
  from app.decisions as d
  join app.posts as p on p.id = d.target_id and p.removed_at is not null
  where d.id = any (v_due)
  order by p.id;
end
$$;
comment on function app.prune_removed_contents is
  'Upkeep: erases what staff removed, once nobody can appeal any more or an appeal has failed (docs/product.md S22).';
grant execute on function app.prune_removed_contents to opine_worker;
