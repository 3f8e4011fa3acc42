create view staff.default_feed_users with (security_invoker = true) as
select d.user_id, p.username, p.full_name, d.added_at
from app.default_feed_users as d
left join app.profiles as p on p.user_id = d.user_id;
comment on view staff.default_feed_users is
  'One row per default feed user: their public posts fill the feed of callers without sources of their own '
  '(docs/product.md F3).';
grant select on staff.default_feed_users to staff_support;

-- Errors: USER_NOT_FOUND, REASON_MISSING.
create function staff.add_default_feed_user(p_username text, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid := (select p.user_id from app.profiles as p where p.username = app.handle_key(p_username));
begin
  if v_user_id is null then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  insert into app.default_feed_users (user_id) values (v_user_id) on conflict do nothing;
  perform staff.record('add_default_feed_user', p_reason, jsonb_build_object('userId', v_user_id));
end
$$;
comment on function staff.add_default_feed_user is 'Makes a user a default feed user (docs/product.md F3, S16).';
grant execute on function staff.add_default_feed_user to staff_admin;

-- Errors: USER_NOT_FOUND, REASON_MISSING.
create function staff.remove_default_feed_user(p_username text, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid := (select d.user_id from staff.default_feed_users as d where d.username = app.handle_key(p_username));
begin
  if v_user_id is null then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  delete from app.default_feed_users as d where d.user_id = v_user_id;
  perform staff.record('remove_default_feed_user', p_reason, jsonb_build_object('userId', v_user_id));
end
$$;
comment on function staff.remove_default_feed_user is
  'Makes a user no default feed user any more (docs/product.md F3, S16).';
grant execute on function staff.remove_default_feed_user to staff_admin;

-- Lists staff.default_feed_users.
--
-- Args: none. Returns items.
create function api.list_default_feed_users(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
    'userId', d.user_id, 'username', d.username, 'fullName', d.full_name, 'addedAt', app.iso(d.added_at)
  ) order by d.added_at, d.user_id), '[]'))
  from staff.default_feed_users as d;
end;
comment on function api.list_default_feed_users is 'GET /admin/default-feed-users (docs/product.md F3, S16).';
grant execute on function api.list_default_feed_users to staff_support;

-- Runs staff.add_default_feed_user.
--
-- Args: username, reason. Returns {}.
create function api.add_default_feed_user(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.add_default_feed_user($1 ->> 'username', $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.add_default_feed_user is 'POST /admin/default-feed-users/add (docs/product.md F3, S16).';
grant execute on function api.add_default_feed_user to staff_admin;

-- Runs staff.remove_default_feed_user.
--
-- Args: username, reason. Returns {}.
create function api.remove_default_feed_user(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.remove_default_feed_user($1 ->> 'username', $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.remove_default_feed_user is 'POST /admin/default-feed-users/remove (docs/product.md F3, S16).';
grant execute on function api.remove_default_feed_user to staff_admin;

-- staff.requeue_dead_letter sends it again.
create view staff.dead_letters with (security_invoker = true) as
select
  d.id, d.notification_id, e.type, n.recipient_id,
  case when d.is_of_stream then 'stream' else 'device' end as channel,
  d.attempt_count, d.failure, d.died_at
from app.dead_letters as d
join app.notifications as n on n.id = d.notification_id
join app.events as e on e.id = n.event_id;
comment on view staff.dead_letters is
  'One row per notification and channel that failed at every attempt: recipient, channel, and the code of the last '
  'failure (docs/product.md N20).';
grant select on staff.dead_letters to staff_admin;

-- Lists staff.dead_letters, oldest first.
--
-- Args: cursor, limit. Returns items and nextCursor.
create function api.list_dead_letters(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  with found as (
    select d.*, requested.list, requested.size, row_number() over (order by d.died_at, d.id) as place
    from staff.requested_page('list_dead_letters', $1) as requested
    join staff.dead_letters as d on (d.died_at, d.id) > (requested.at, requested.id)
    order by d.died_at, d.id
    limit (select requested.size + 1 from staff.requested_page('list_dead_letters', $1) as requested)
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
      min(app.encode_cursor(f.list, f.died_at, f.id)) filter (where f.place = f.size)
    end
  )
  from found as f;
end;
comment on function api.list_dead_letters is 'GET /admin/dead-letters (docs/product.md N20, S16).';
grant execute on function api.list_dead_letters to staff_admin;

-- Errors: DEAD_LETTER_NOT_FOUND.
create function staff.requeue_dead_letter(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_letter app.dead_letters;
begin
  delete from app.dead_letters as d where d.id = p_id returning * into v_letter;
  if v_letter.id is null then
    raise exception using errcode = 'PT404', message = 'DEAD_LETTER_NOT_FOUND';
  end if;
  if v_letter.token_hash is null then
    insert into app.outbox (notification_id, is_queued) values (v_letter.notification_id, true) on conflict do nothing;
  else
    insert into app.pushes (notification_id, token_hash) values (v_letter.notification_id, v_letter.token_hash)
    on conflict do nothing;
  end if;
  perform staff.audit(
    staff.actor(), 'requeue_dead_letter', jsonb_build_object('notificationId', v_letter.notification_id)
  );
end
$$;
comment on function staff.requeue_dead_letter is 'Queues a dead letter again, as if it was new.';
grant execute on function staff.requeue_dead_letter to staff_admin;

-- Runs staff.requeue_dead_letter.
--
-- Args: deadLetterId. Returns {}.
create function api.requeue_dead_letter(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.requeue_dead_letter(($1 ->> 'deadLetterId')::uuid);
  select '{}'::jsonb;
end;
comment on function api.requeue_dead_letter is
  'POST /admin/dead-letters/{deadLetterId}/requeue (docs/product.md N20, S16).';
grant execute on function api.requeue_dead_letter to staff_admin;

-- The age of votes is in whole minutes, for vote secrecy.
create function staff.health() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_backlog record := app.backlog();
begin
  return jsonb_build_object(
    'outboxCount', v_backlog.outbox_count,
    'outboxAgeSeconds', floor(v_backlog.outbox_age_seconds),
    'pushCount', v_backlog.push_count,
    'deadLetterCount', v_backlog.dead_letter_count,
    'unfoldedVoteAgeMinutes', floor(v_backlog.vote_age_seconds / 60),
    'accountDeletionCount', v_backlog.account_deletion_count,
    'openReportCount', (select count(*) from app.reports as r where r.state = 'open')
  );
end
$$;
comment on function staff.health is
  'Returns the work that waits for workers and staff: counts and ages from app.backlog, as far as people can act on '
  'them, and the number of open reports.';
grant execute on function staff.health to staff_support;

-- Runs staff.health.
--
-- Args: none. Returns counts and ages.
create function api.get_staff_health(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select staff.health();
end;
comment on function api.get_staff_health is 'GET /admin/health.';
grant execute on function api.get_staff_health to staff_support;

-- Returns how much the service was used since midnight in UTC, and the number of open reports.
--
-- Ids begin with a time, so each count reads the end of a primary key; created_at tells the day where the
-- clock is shifted. Votes are those of whole hours, each shown two minutes late, when the fold has counted
-- it: nobody learns from the number when a person voted.
create function staff.numbers() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_most integer := 100000;
  v_today timestamptz := date_trunc('day', app.now(), 'UTC');
  v_first_id uuid := app.first_id_within(app.now() - v_today);
begin
  return jsonb_build_object(
    'peopleCount', (
      select count(*)
      from (
        select
        from app.users as u
        join app.profiles as p on p.user_id = u.id
        where u.id >= v_first_id and u.created_at >= v_today
        limit v_most
      ) as joined
    ),
    'postCount', (
      select count(*)
      from (
        select from app.posts as p where p.id >= v_first_id and p.created_at >= v_today limit v_most
      ) as published
    ),
    'voteCount', (
      select coalesce(sum(h.vote_count), 0)
      from app.vote_hours as h
      where h.cast_hour >= v_today and h.cast_hour < date_trunc('hour', app.now() - interval '2 minutes', 'UTC')
    ),
    'openReportCount', (select count(*) from app.reports as r where r.state = 'open')
  );
end
$$;
comment on function staff.numbers is
  'Returns the numbers of the day (docs/product.md S26): people who joined and posts, up to 100,000 of each, votes and '
  'open reports.';
grant execute on function staff.numbers to staff_support;

-- Runs staff.numbers.
--
-- Args: none. Returns counts.
create function api.get_staff_numbers(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select staff.numbers();
end;
comment on function api.get_staff_numbers is 'GET /admin/numbers (docs/product.md S26).';
grant execute on function api.get_staff_numbers to staff_support;
