create function staff.remove_content(p_report_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_report staff.reports := staff.lock_report(p_report_id);
  v_was_there boolean;
begin
  case v_report.target_kind
    when 'post' then v_was_there := app.erase_post(v_report.target_id);
    when 'comment' then v_was_there := app.erase_comment(v_report.target_id);
    when 'message' then v_was_there := staff.erase_message(v_report.target_id);
    else
      raise exception using errcode = 'PT409', message = 'REPORT_NOT_OF_CONTENT';
  end case;
  perform staff.settle_reports(v_report, 'remove_content', p_reason, jsonb_build_object('wasThere', v_was_there));
end
$$;
comment on function staff.remove_content is 'Removes the post, comment or message of a report, and closes all reports of it. A message stays in its thread without content. The audit log records whether the content still existed (wasThere). Errors: REPORT_NOT_FOUND, REPORT_CLAIMED, REASON_MISSING, REPORT_NOT_OF_CONTENT (the target is a person or a Hub, which staff suspends instead).';
grant execute on function staff.remove_content to staff_moderator;

create function api.remove_content(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.remove_content(($1 ->> 'reportId')::uuid, $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.remove_content is 'POST /admin/reports/{reportId}/remove (docs/product.md S10). Runs staff.remove_content. Args: reportId, reason. Returns {}. Errors: UNAUTHORIZED and FORBIDDEN (by the gateway), REPORT_NOT_FOUND, REPORT_CLAIMED, REPORT_NOT_OF_CONTENT, REASON_MISSING.';
grant execute on function api.remove_content to staff_moderator;

create function staff.erase_message(p_message_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_discussion_id uuid;
begin
  perform app.lock_discussion_of(p_message_id);
  update app.messages as m
  set author_id = null, body = null, asset_id = null, alt_text = null
  where m.id = p_message_id and not m.is_deleted
  returning m.discussion_id into v_discussion_id;
  update app.discussions as d set message_count = d.message_count - 1 where d.id = v_discussion_id;
  return v_discussion_id is not null;
end
$$;
comment on function staff.erase_message is 'Empties a message, which stays in its thread and no longer counts. Returns whether it had content.';

create function staff.why_visible(p_viewer_id uuid, p_post_id uuid)
returns table (rule text, holds boolean, detail text)
language plpgsql security definer set search_path = '' as $$
declare
  v_claims text := current_setting('request.jwt.claims', true);
  v_post app.posts;
  v_is_public boolean;
  v_is_own boolean;
  v_is_hidden boolean;
  v_hubs text;
begin
  perform staff.audit(staff.actor(), 'why_visible', jsonb_build_object('viewerId', p_viewer_id, 'postId', p_post_id));
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_viewer_id)::text, true);
  select * into v_post from app.posts as p where p.id = p_post_id;
  v_is_own := coalesce(v_post.author_id = p_viewer_id, false);
  v_is_public := coalesce(v_post.is_public, false);
  v_is_hidden := exists (select from app.hidden_users as h where h.user_id = v_post.author_id);
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
    ('the viewer is the author', v_is_own, 'authors always see their own posts'),
    ('the post is public', v_is_public, v_post.visibility::text),
    ('the post is in a Hub of the viewer', v_hubs is not null, v_hubs),
    (
      'no block exists between author and viewer',
      not exists (select from app.blocked_users as b where b.user_id = v_post.author_id), 'a block by either of them hides the post'
    ),
    ('the author''s account has not ended', not exists (select from app.account_deletions as d where d.user_id = v_post.author_id), null),
    ('the author is not suspended', not exists (select from app.suspensions as s where s.user_id = v_post.author_id), null),
    (
      'the viewer sees the post',
      v_post.id is not null and (v_is_own or (v_is_public or v_hubs is not null) and not v_is_hidden),
      'it is their own, or public or in a Hub of theirs and by no hidden user'
    );
  perform set_config('request.jwt.claims', coalesce(v_claims, ''), true);
end
$$;
comment on function staff.why_visible is 'Returns each rule of the policy posts_select, whether it holds for a viewer (null for a guest) and a post, and the result (docs/product.md S17). It names Hubs of both the viewer and the post, and shows nothing of the post''s content. The audit log records the question.';
grant execute on function staff.why_visible to staff_moderator;

create function api.why_visible(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select jsonb_build_object('rules', jsonb_agg(jsonb_build_object('rule', w.rule, 'holds', w.holds, 'detail', w.detail) order by w.place))
  from staff.why_visible(($1 ->> 'viewerId')::uuid, ($1 ->> 'postId')::uuid) with ordinality as w (rule, holds, detail, place);
end;
comment on function api.why_visible is 'POST /admin/posts/{postId}/why-visible (docs/product.md S17). Runs staff.why_visible. Args: postId, viewerId (null for a guest). Returns rules. Errors: UNAUTHORIZED and FORBIDDEN (by the gateway).';
grant execute on function api.why_visible to staff_moderator;
