-- Reports a post to staff.
--
-- Args: postId, reason, details. Returns reportId and state.
create function api.report_post(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return app.put_report(p_args, 'post', (p_args ->> 'postId')::uuid);
end
$$;
comment on function api.report_post is 'POST /reports/posts/{postId} (docs/product.md S7, S8).';
grant execute on function api.report_post to authenticated;

-- Reports a comment to staff.
--
-- Args: commentId, reason, details. Returns reportId and state.
create function api.report_comment(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return app.put_report(p_args, 'comment', (p_args ->> 'commentId')::uuid);
end
$$;
comment on function api.report_comment is
  'POST /reports/comments/{commentId} (docs/product.md S7, S8; docs/decisions/015-own-data.md).';
grant execute on function api.report_comment to authenticated;

-- Reports a Hub message to staff.
--
-- Args: messageId, reason, details. Returns reportId and state.
create function api.report_message(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return app.put_report(p_args, 'message', (p_args ->> 'messageId')::uuid);
end
$$;
comment on function api.report_message is
  'POST /reports/messages/{messageId} (docs/product.md S7, S8; docs/decisions/015-own-data.md).';
grant execute on function api.report_message to authenticated;

-- Reports a user to staff.
--
-- Args: userId, reason, details. Returns reportId and state.
create function api.report_user(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return app.put_report(p_args, 'user', (p_args ->> 'userId')::uuid);
end
$$;
comment on function api.report_user is 'POST /reports/users/{userId} (docs/product.md S7, S8).';
grant execute on function api.report_user to authenticated;

-- Reports a Hub to staff.
--
-- Args: hubId, reason, details. Returns reportId and state.
create function api.report_hub(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return app.put_report(p_args, 'hub', (p_args ->> 'hubId')::uuid);
end
$$;
comment on function api.report_hub is 'POST /reports/hubs/{hubId} (docs/product.md S7, S8).';
grant execute on function api.report_hub to authenticated;

-- Inserts a report by the caller of one target, or finds their open report of it.
--
-- Args: p_args (reason, details), the target. Returns reportId and state. Errors: those of
-- app.require_reportable, RATE_LIMITED.
create function app.put_report(p_args jsonb, p_kind app.target_kind, p_id uuid) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_report app.reports;
begin
  perform app.require_arguments(p_args, 'reason');
  -- Retries if staff closes the open report between the insert and the select.
  loop
    insert into app.reports (reporter_id, user_id, post_id, hub_id, comment_id, message_id, reason, details)
    select
      app.user_id(),
      case when p_kind = 'user' then target.id end,
      case when p_kind = 'post' then target.id end,
      case when p_kind = 'hub' then target.id end,
      case when p_kind = 'comment' then target.id end,
      case when p_kind = 'message' then target.id end,
      app.choice_argument(p_args, 'reason', variadic enum_range(null::app.report_reason)::text[])::app.report_reason,
      app.text_argument(p_args, 'details')
    from app.require_reportable(p_kind, p_id) as target (id)
    on conflict (reporter_id, target_id) where state = 'open' do nothing
    returning * into v_report;
    if v_report.id is not null then
      perform app.use_limit('reports');
      exit;
    end if;
    select * into v_report
    from app.reports as r
    where r.reporter_id = app.user_id() and r.target_id = p_id and r.state = 'open';
    exit when v_report.id is not null;
  end loop;
  return app.own_report_json(v_report.id);
end
$$;
comment on function app.put_report is
  'Inserts a report by the caller, or finds their open one (docs/product.md S7, S8).';
grant execute on function app.put_report to authenticated;

create function app.own_report_json(p_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('reportId', r.id, 'state', r.state)
    from app.reports as r
    where r.id = p_id and r.reporter_id = app.user_id()
  );
end
$$;
comment on function app.own_report_json is
  'Returns a report by the caller with its state (docs/product.md S7, S19); null for any other.';
grant execute on function app.own_report_json to authenticated;

-- Returns the id of a target that is not the caller's own, and that the caller sees or would see but for a
-- block.
--
-- A definer function, because policies apply blocks. Errors: USER_NOT_FOUND, POST_NOT_FOUND, HUB_NOT_FOUND,
-- COMMENT_NOT_FOUND, MESSAGE_NOT_FOUND, VALIDATION_FAILED (oneself or own content).
create function app.require_reportable(p_kind app.target_kind, p_id uuid) returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := app.user_id();
  v_owner_id uuid;
  v_is_seen boolean;
begin
  if p_kind = 'hub' then
    return app.require_hub(p_id);
  end if;
  select t.owner_id, t.is_seen into v_owner_id, v_is_seen
  from (
    select u.id as owner_id, exists (select from app.profiles as p where p.user_id = u.id) as is_seen
    from app.users as u
    where p_kind = 'user' and u.id = p_id
    union all
    -- What staff has removed is hidden from its author too.
    select p.author_id, exists (select from app.posts_despite_blocks(v_user_id) as seen where seen.id = p.id)
    from app.posts as p
    where p_kind = 'post' and p.id = p_id and p.removed_at is null
    union all
    select c.author_id, exists (select from app.posts_despite_blocks(v_user_id) as seen where seen.id = p.id)
    from app.comments as c
    join app.posts as p on p.id = c.post_id
    where p_kind = 'comment' and c.id = p_id and c.author_id is not null
    union all
    select m.author_id, m.hub_id in (select mine.hub_id from app.my_hubs as mine)
    from app.messages as m
    where p_kind = 'message' and m.id = p_id and not m.is_deleted
  ) as t
  where not exists (
    select
    from app.users_hidden_from_all as h
    where h.user_id = t.owner_id
      -- The messages of an ended account stay.
      and (p_kind <> 'message' or h.user_id in (select s.user_id from app.suspensions as s))
  );
  if v_owner_id = app.user_id() then
    perform app.refuse_argument(array[p_kind || 'Id'], 'own', 'Must not be your own.');
  end if;
  if not coalesce(v_is_seen, false) then
    raise exception using errcode = 'PT404', message = upper(p_kind::text) || '_NOT_FOUND';
  end if;
  return p_id;
end
$$;
comment on function app.require_reportable is 'Returns a target that the caller may report (docs/product.md S8).';
grant execute on function app.require_reportable to authenticated;

-- Lists the reports of the caller with their outcomes, newest first.
--
-- Args: cursor, limit. Returns items and nextCursor.
create function api.list_own_reports(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_own_reports', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(1);
  v_page := array(
    select (r.created_at, r.id)::app.list_entry
    from app.reports as r
    where r.reporter_id = app.user_id() and (r.created_at, r.id) < (v_from.at, v_from.id)
    order by r.created_at desc, r.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'reportId', r.id,
        'target', jsonb_build_object('type', app.kind_of(r), 'id', r.target_id),
        'reason', r.reason,
        'state', r.state,
        'createdAt', app.iso(r.created_at)
      ) order by entry.place), '[]')
      from unnest(v_page[:v_limit]) with ordinality as entry (at, id, place)
      join app.reports as r on r.id = entry.id
    ),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_own_reports is 'GET /users/me/reports (docs/product.md S19).';
grant execute on function api.list_own_reports to authenticated;

create function app.kind_of(p_report app.reports) returns app.target_kind
language sql immutable set search_path = ''
begin atomic
  select case
    when p_report.user_id is not null then 'user'::app.target_kind
    when p_report.post_id is not null then 'post'
    when p_report.comment_id is not null then 'comment'
    when p_report.message_id is not null then 'message'
    else 'hub'
  end;
end;
comment on function app.kind_of is 'Returns what a report is about.';
grant execute on function app.kind_of to authenticated, staff_moderator;
