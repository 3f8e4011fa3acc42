-- Removes the post, comment or message of a report by a decision, and closes all reports of it. A message
-- stays in its thread without content.
--
-- Content that is gone meanwhile makes no decision, so its reports are dismissed: staff may still decide
-- about the author. The audit log records which of both it was (wasThere). Nobody is concerned by the removal
-- of a message whose author's account has ended.
create function staff.remove_content(p_report_id uuid, p_reason app.report_reason, p_statement text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
  v_decision_id uuid;
  v_was_there boolean;
begin
  if v_report.target_kind not in ('post', 'comment', 'message') then
    raise exception using errcode = 'PT409', message = 'REPORT_NOT_OF_CONTENT';
  end if;
  perform staff.require_statement(p_reason, p_statement);
  if not v_report.is_author_gone then
    v_decision_id := app.decide(
      'content_removed', p_reason, p_statement, staff.actor(), v_report.target_kind, v_report.target_id,
      v_report.content,
      array[v_report.author_id]
    );
  end if;
  case v_report.target_kind
    when 'post' then v_was_there := app.hide_post(v_report.target_id);
    when 'comment' then v_was_there := staff.hide_comment(v_decision_id, v_report.target_id);
    else v_was_there := staff.hide_message(v_decision_id, v_report.target_id);
  end case;
  if not v_was_there then
    delete from app.decisions as d where d.id = v_decision_id;
    v_decision_id := null;
  end if;
  perform staff.record_decision(
    'remove_content', staff.target_of(v_report) || jsonb_build_object('wasThere', v_was_there),
    array[v_report.target_id], case when v_was_there then 'actioned'::app.report_state else 'dismissed' end,
    v_decision_id, p_reason, p_statement
  );
end
$$;
comment on function staff.remove_content is
  'Removes the post, comment or message of a report by a decision (docs/product.md S10, S18, S25).';
grant execute on function staff.remove_content to staff_moderator;

-- Runs staff.remove_content.
--
-- Args: reportId, reason, statement. Returns {}.
create function api.remove_content(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform staff.remove_content(($1 ->> 'reportId')::uuid, staff.reason_argument($1), $1 ->> 'statement');
  return '{}'::jsonb;
end
$$;
comment on function api.remove_content is 'POST /admin/reports/{reportId}/remove (docs/product.md S10).';
grant execute on function api.remove_content to staff_moderator;

-- Errors: VALIDATION_FAILED.
create function staff.reason_argument(p_args jsonb) returns app.report_reason
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.choice_argument(p_args, 'reason', variadic enum_range(null::app.report_reason)::text[])::app.report_reason;
end
$$;
comment on function staff.reason_argument is
  'Reads the reason of a decision, one of those of reports; null if it is missing.';
grant execute on function staff.reason_argument to staff_moderator;

create function staff.require_statement(p_reason app.report_reason, p_statement text) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_reason is null or coalesce(btrim(p_statement), '') = '' then
    raise exception using errcode = 'PT422', message = 'REASON_MISSING';
  end if;
  perform app.text_argument(jsonb_build_object('statement', p_statement), 'statement', 1, 2000);
end
$$;
comment on function staff.require_statement is
  'Refuses a decision without a reason or a readable statement for the person concerned (docs/product.md S18, W24).';

-- Closes the open reports of targets after a decision, and writes both to the audit log. p_decision_id is
-- null if there was nothing left to decide about.
create function staff.record_decision(
  p_action text, p_details jsonb, p_target_ids uuid[], p_state app.report_state, p_decision_id uuid,
  p_reason app.report_reason, p_statement text
) returns void
language plpgsql set search_path = '' as $$
begin
  perform staff.audit(staff.actor(), p_action, p_details || jsonb_build_object(
    'reportIds', staff.close_reports_of(p_target_ids, p_state), 'decisionId', p_decision_id, 'reason', p_reason,
    'statement', btrim(p_statement)
  ));
end
$$;
comment on function staff.record_decision is
  'Closes reports after a decision, and records both (docs/product.md S6, S9).';

-- Returns false if it was gone.
create function staff.hide_comment(p_decision_id uuid, p_comment_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  insert into app.removed_contents (
    decision_id, author_id, content_id, post_id, parent_id, body, asset_id, alt_text, created_at
  )
  select p_decision_id, c.author_id, c.id, c.post_id, c.parent_id, c.body, c.asset_id, c.alt_text, c.created_at
  from app.comments as c
  -- Without a decision there is no appeal that could bring it back.
  where c.id = p_comment_id and c.author_id is not null and p_decision_id is not null;
  return app.delete_comment(p_comment_id);
end
$$;
comment on function staff.hide_comment is 'Deletes a comment, and keeps its content for a reversal.';

-- Returns whether it had content.
create function staff.hide_message(p_decision_id uuid, p_message_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_discussion_id uuid;
begin
  perform app.lock_discussion_of(p_message_id);
  insert into app.removed_contents (decision_id, author_id, content_id, body, asset_id, alt_text, created_at)
  select p_decision_id, m.author_id, m.id, m.body, m.asset_id, m.alt_text, m.created_at
  from app.messages as m
  -- Without a decision there is no appeal that could bring it back.
  where m.id = p_message_id and m.author_id is not null and p_decision_id is not null;
  update app.messages as m
  set author_id = null, body = null, asset_id = null, alt_text = null
  where m.id = p_message_id and not m.is_deleted
  returning m.discussion_id into v_discussion_id;
  update app.discussions as d set message_count = d.message_count - 1 where d.id = v_discussion_id;
  return v_discussion_id is not null;
end
$$;
comment on function staff.hide_message is
  'Empties a message, which stays in its thread and no longer counts, and keeps its content for a reversal; that of an '
  'ended account is gone for good.';

-- It names Hubs of both the viewer and the post, and shows nothing of the post's content. The audit log
-- records the question.
create function staff.why_visible(p_viewer_id uuid, p_post_id uuid)
returns table (rule text, holds boolean, detail text)
language plpgsql security definer set search_path = '' as $$
declare
  v_claims text := current_setting('request.jwt.claims', true);
  v_post app.posts;
  v_is_public boolean;
  v_is_own boolean;
  v_hubs text;
begin
  perform staff.audit(staff.actor(), 'why_visible', jsonb_build_object('viewerId', p_viewer_id, 'postId', p_post_id));
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_viewer_id)::text, true);
  select * into v_post from app.posts as p where p.id = p_post_id;
  v_is_own := coalesce(v_post.author_id = p_viewer_id, false);
  v_is_public := coalesce(v_post.is_public, false);
  v_hubs := (
    select string_agg(h.name, ', ' order by h.name)
    from app.placements as t
    join app.my_hubs as mine on mine.hub_id = t.hub_id
    join app.hubs as h on h.id = t.hub_id
    where t.post_id = p_post_id
  );
  return query
  values
    ('the post exists', v_post.id is not null, null),
    ('staff has not removed the post', v_post.removed_at is null, null),
    ('the viewer is the author', v_is_own, 'authors always see their own posts'),
    ('the post is public', v_is_public, v_post.visibility::text),
    ('the post is in a Hub of the viewer', v_hubs is not null, v_hubs),
    (
      'no block exists between author and viewer',
      not exists (
        select from app.blocked_users as b where b.user_id = v_post.author_id
      ), 'a block by either of them hides the post'
    ),
    (
      'the author''s account has not ended',
      not exists (select from app.account_deletions as d where d.user_id = v_post.author_id), null
    ),
    (
      'the author is not suspended', not exists (select from app.suspensions as s where s.user_id = v_post.author_id),
      null
    ),
    (
      'the viewer sees the post', exists (select from app.seen_posts(p_viewer_id) as seen where seen.id = p_post_id),
      'it is their own, or public or in a Hub of theirs and by no hidden user'
    );
  perform set_config('request.jwt.claims', coalesce(v_claims, ''), true);
end
$$;
comment on function staff.why_visible is
  'Returns each rule of who sees a post, whether it holds for a viewer (null for a guest) and a post, and the '
  'result (docs/product.md S17).';
grant execute on function staff.why_visible to staff_moderator;

-- Runs staff.why_visible.
--
-- Args: postId, viewerId (null for a guest). Returns rules.
create function api.why_visible(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select jsonb_build_object(
    'rules', jsonb_agg(jsonb_build_object('rule', w.rule, 'holds', w.holds, 'detail', w.detail) order by w.place)
  )
  from staff.why_visible(
    ($1 ->> 'viewerId')::uuid, ($1 ->> 'postId')::uuid
  ) with ordinality as w (rule, holds, detail, place);
end;
comment on function api.why_visible is 'POST /admin/posts/{postId}/why-visible (docs/product.md S17).';
grant execute on function api.why_visible to staff_moderator;
