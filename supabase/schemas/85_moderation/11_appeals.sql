-- staff.decide_appeal decides.
create view staff.appeals with (security_invoker = true) as
select
  a.decision_id, a.state, a.text, a.created_at, d.action, d.reason, d.statement, d.target_kind, d.target_id, d.excerpt,
  d.decided_by, d.decided_at,
  coalesce(
    nullif(concat_ws(' / ', k.body, k.alt_text), ''),
    concat_ws(' / ', art.url, art.title, art.body, p.thought_text, p.slider_text), ''
  ) as content,
  (select max(r.id::text)::uuid from app.reports as r where r.target_id = d.target_id) as report_id
from app.appeals as a
join app.decisions as d on d.id = a.decision_id
left join app.removed_contents as k on k.decision_id = d.id
left join app.posts as p on p.id = d.target_id
left join app.articles as art on art.id = p.article_id;
comment on view staff.appeals is
  'One row per appeal, with the decision, what was removed, and the last report of it (docs/product.md S20, S21).';
grant select on staff.appeals to staff_moderator;

-- Lists the open ones of staff.appeals, oldest first.
--
-- Args: cursor, limit. Returns items and nextCursor.
create function api.list_appeals(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  with found as (
    select a.*, requested.list, requested.size, row_number() over (order by a.created_at, a.decision_id) as place
    from staff.requested_page('list_appeals', $1) as requested
    join staff.appeals as a on (a.created_at, a.decision_id) > (requested.at, requested.id)
    where a.state = 'open'
    order by a.created_at, a.decision_id
    limit (select requested.size + 1 from staff.requested_page('list_appeals', $1) as requested)
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'decisionId', f.decision_id,
      'action', f.action,
      'reason', f.reason,
      'statement', f.statement,
      'target', jsonb_build_object('type', f.target_kind, 'id', f.target_id, 'excerpt', f.excerpt),
      'content', f.content,
      'reportId', f.report_id,
      'decidedBy', f.decided_by,
      'decidedAt', app.iso(f.decided_at),
      'text', f.text,
      'appealedAt', app.iso(f.created_at)
    ) order by f.place) filter (where f.place <= f.size), '[]'),
    'nextCursor', case when bool_or(f.place > f.size) then
      min(app.encode_cursor(f.list, f.created_at, f.decision_id)) filter (where f.place = f.size)
    end
  )
  from found as f;
end;
comment on function api.list_appeals is 'GET /admin/appeals (docs/product.md S21).';
grant execute on function api.list_appeals to staff_moderator;

-- Decides an open appeal: upheld, or reversed, which restores what can be restored. The people concerned are
-- notified. p_statement says why. Not for who took the decision.
create function staff.decide_appeal(p_decision_id uuid, p_outcome app.appeal_state, p_statement text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_decision app.decisions;
  v_is_restored boolean;
begin
  select d.* into v_decision
  from app.appeals as a
  join app.decisions as d on d.id = a.decision_id
  where a.decision_id = p_decision_id and a.state = 'open'
  for update;
  if v_decision.id is null then
    raise exception using errcode = 'PT404', message = 'APPEAL_NOT_FOUND';
  end if;
  if not staff.may_judge(v_decision.decided_by) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  if coalesce(btrim(p_statement), '') = '' or coalesce(p_outcome, 'open') = 'open' then
    raise exception using errcode = 'PT422', message = 'REASON_MISSING';
  end if;
  perform app.text_argument(jsonb_build_object('statement', p_statement), 'statement', 1, 2000);
  if p_outcome = 'reversed' then
    v_is_restored := staff.restore_target(v_decision);
    update app.decisions as d set reversed_at = coalesce(d.reversed_at, app.now()) where d.id = p_decision_id;
  end if;
  perform staff.close_appeal(p_decision_id, p_outcome, p_statement);
  perform staff.audit(staff.actor(), 'decide_appeal', jsonb_build_object(
    'decisionId', p_decision_id, 'outcome', p_outcome, 'isRestored', v_is_restored, 'reason', btrim(p_statement)
  ));
end
$$;
comment on function staff.decide_appeal is 'Decides an open appeal (docs/product.md S21, S22).';
grant execute on function staff.decide_appeal to staff_moderator;

-- Returns whether the current member of staff may judge a decision: it was another person's.
--
-- A person is an e-mail, in a staff session and in SQL. A login without an e-mail belongs to nobody, so it
-- judges nothing. Decisions of a login before it had an e-mail count as its owner's.
create function staff.may_judge(p_decided_by text) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  v_actor text := staff.actor();
begin
  return (session_user = 'opine_gateway' or exists (select from staff.logins as l where l.login = session_user))
    and p_decided_by <> v_actor
    and not exists (select from staff.logins as l where l.email = v_actor and l.login = p_decided_by);
end
$$;
comment on function staff.may_judge is
  'Returns whether a decision was taken by another person than the current member of staff (docs/product.md S21).';

create function staff.refuse_own_appealed(p_action app.decision_action, p_target_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if exists (
    select
    from app.decisions as d
    join app.appeals as a on a.decision_id = d.id and a.state = 'open'
    where d.target_id = p_target_id and d.action = p_action and d.reversed_at is null
      and not staff.may_judge(d.decided_by)
  ) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
end
$$;
comment on function staff.refuse_own_appealed is
  'Refuses to restore or suspend anew while an appeal waits for somebody else (docs/product.md S21).';

-- Returns whether anything was left to restore.
create function staff.restore_target(p_decision app.decisions) returns boolean
language plpgsql set search_path = '' as $$
begin
  -- Reversed already: a later decision may hold now.
  if p_decision.reversed_at is not null then
    return false;
  end if;
  return case
    when p_decision.action = 'account_suspended' then staff.lift_suspension(p_decision.target_id)
    when p_decision.action = 'hub_suspended' then staff.lift_hub_suspension(p_decision.target_id)
    when p_decision.target_kind = 'post' then app.restore_post(p_decision.target_id)
    when p_decision.target_kind = 'comment' then app.restore_comment(p_decision.id)
    else app.restore_message(p_decision.id)
  end;
end
$$;
comment on function staff.restore_target is 'Undoes a decision.';

create function staff.close_appeal(p_decision_id uuid, p_outcome app.appeal_state, p_statement text) returns void
language plpgsql set search_path = '' as $$
begin
  update app.appeals as a
  set state = p_outcome, statement = left(btrim(p_statement), 2000), decided_by = staff.actor(), decided_at = app.now()
  where a.decision_id = p_decision_id and a.state = 'open';
  if found then
    perform app.notify_subjects(p_decision_id);
  end if;
end
$$;
comment on function staff.close_appeal is
  'Closes the open appeal against a decision, if there is one, and notifies the people concerned.';

create function staff.mark_reversed(p_action app.decision_action, p_target_id uuid, p_statement text) returns void
language plpgsql set search_path = '' as $$
declare
  v_decision_id uuid;
begin
  for v_decision_id in
    update app.decisions as d set reversed_at = app.now()
    where d.target_id = p_target_id and d.action = p_action and d.reversed_at is null
    returning d.id
  loop
    perform staff.close_appeal(v_decision_id, 'reversed', p_statement);
  end loop;
end
$$;
comment on function staff.mark_reversed is
  'Records that staff took back the decisions about a target without waiting for an appeal, which it closes.';

-- Runs staff.decide_appeal.
--
-- Args: decisionId, outcome (upheld or reversed), statement. Returns {}.
create function api.decide_appeal(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.decide_appeal(($1 ->> 'decisionId')::uuid, ($1 ->> 'outcome')::app.appeal_state, $1 ->> 'statement');
  select '{}'::jsonb;
end;
comment on function api.decide_appeal is 'POST /admin/appeals/{decisionId}/decide (docs/product.md S21).';
grant execute on function api.decide_appeal to staff_moderator;

-- Returns false if its post or its thread is gone.
create function app.restore_comment(p_decision_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_kept app.removed_contents;
  v_is_hidden boolean;
begin
  perform app.lock_pair_of(k.post_id, k.author_id) from app.removed_contents as k where k.decision_id = p_decision_id;
  select * into v_kept from app.removed_contents as k where k.decision_id = p_decision_id for update;
  perform from app.posts as p where p.id = v_kept.post_id for no key update;
  if not found then
    return false;
  end if;
  v_is_hidden := app.is_across_block(v_kept.post_id, v_kept.author_id);
  update app.comments as c
  set author_id = v_kept.author_id, body = v_kept.body, asset_id = v_kept.asset_id, alt_text = v_kept.alt_text,
    is_hidden = v_is_hidden
  where c.id = v_kept.content_id;
  if found then
    update app.posts as p set comment_count = p.comment_count + 1 where p.id = v_kept.post_id and not v_is_hidden;
  elsif v_kept.parent_id is null or exists (select from app.comments as root where root.id = v_kept.parent_id) then
    insert into app.comments (id, post_id, author_id, parent_id, body, asset_id, alt_text, is_hidden, created_at)
    values (
      v_kept.content_id, v_kept.post_id, v_kept.author_id, v_kept.parent_id, v_kept.body, v_kept.asset_id,
      v_kept.alt_text, v_is_hidden, v_kept.created_at
    );
    -- While staff hides the post, nobody is to be notified of what is written below it.
    delete from app.events as e
    using app.posts as p
    where e.comment_id = v_kept.content_id and p.id = v_kept.post_id and p.removed_at is not null;
  else
    return false;
  end if;
  delete from app.removed_contents as k where k.decision_id = p_decision_id;
  return true;
end
$$;
comment on function app.restore_comment is
  'Restores a comment that staff removed by a decision: in its thread, where replies kept its place, or as it was '
  'written, which notifies again.';

-- Returns false if its thread or discussion is gone.
create function app.restore_message(p_decision_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_kept app.removed_contents;
  v_discussion_id uuid;
begin
  select * into v_kept from app.removed_contents as k where k.decision_id = p_decision_id for update;
  perform app.lock_discussion_of(v_kept.content_id);
  update app.messages as m
  set author_id = v_kept.author_id, body = v_kept.body, asset_id = v_kept.asset_id, alt_text = v_kept.alt_text
  where m.id = v_kept.content_id
  returning m.discussion_id into v_discussion_id;
  if v_discussion_id is null then
    return false;
  end if;
  update app.discussions as d set message_count = d.message_count + 1 where d.id = v_discussion_id;
  delete from app.removed_contents as k where k.decision_id = p_decision_id;
  return true;
end
$$;
comment on function app.restore_message is 'Restores a message that staff removed by a decision.';
