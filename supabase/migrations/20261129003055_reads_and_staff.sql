set local lock_timeout = '5s';
set local statement_timeout = '60s';

set local check_function_bodies = off;

drop policy "discussions_select" on "app"."discussions";

drop function "app"."one_vote"(app.vote_position);

drop function "app"."raise_trending_score"(uuid, double precision, timestamp with time zone);

create table "app"."vote_hours" (
  "cast_hour" timestamp with time zone not null,
  "vote_count" bigint not null,
  constraint "vote_hours_cast_hour_is_one"
    check ((cast_hour = date_trunc('hour'::text, cast_hour, 'UTC'::text))),
  constraint "vote_hours_pkey" primary key (cast_hour)
);

alter table "app"."vote_hours"
  enable row level security;

create or replace function api.list_staff (
  jsonb
)
  returns jsonb
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 select
   jsonb_build_object('items', COALESCE(jsonb_agg(jsonb_build_object('email', a.email, 'role', a.role,
   'addedAt', app.iso(a.added_at), 'logins', ARRAY( select l.login
            from staff.logins l
           where (l.email = a.email)
           ORDER by l.login)) ORDER by a.email), '[]'::jsonb))
  AS jsonb_build_object
    FROM staff.allowed_emails a;
END;

create or replace function app.count_trending_votes (
  p_post_id uuid,
  p_count bigint
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
begin
  if p_count > 0 then
    perform app.raise_trending_score(p_post_id, p_count, app.now(), p_are_votes => true);
  end if;
end
$function$;

create or replace function app.inbox_states (
  p_user_ids uuid[]
)
  returns table (
    user_id uuid,
    unread_count bigint,
    version bigint
  )
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  set enable_seqscan to 'off'
  set enable_hashjoin to 'off'
  set enable_mergejoin to 'off'
  AS $function$
begin
  return query
  select
    counted.user_id,
    sum(
      case when counted.unread_count <> 0 and exists (
        select from app.inbox_audiences as s
        where s.user_id = counted.user_id and s.audience = counted.audience and s.audience_id = counted.audience_id
        -- Prevents a join of all audiences with a few rows.
        offset 0
      ) then counted.unread_count else 0 end
    )::bigint,
    sum(
      counted.change_count
      + coalesce((select s.change_count from app.audience_changes as s where s.audience_id = counted.audience_id), 0)
    )::bigint
  from (
    select
      t.user_id, t.audience, t.audience_id, sum(t.unread_count)::bigint as unread_count,
      sum(t.change_count)::bigint as change_count
    from (
      select c.user_id, c.audience, c.audience_id, c.unread_count, c.change_count
      from app.inbox_counts as c
      where c.user_id = any (p_user_ids)
      union all
      select w.recipient_id, w.audience, w.audience_id, -1, 0
      from app.withheld_notifications as w
      where w.recipient_id = any (p_user_ids)
    ) as t
    group by t.user_id, t.audience, t.audience_id
  ) as counted
  group by counted.user_id;
end
$function$;

create or replace function app.one_vote (
  p_position app.vote_position
)
  returns app.position_counts
  language sql
  immutable
RETURN
  row((((p_position = 'strong_left'::app.vote_position))::integer)::bigint, (((p_position =
  'left'::app.vote_position))::integer)::bigint,
  (((p_position = 'neutral'::app.vote_position))::integer)::bigint,
  (((p_position = 'right'::app.vote_position))::integer)::bigint,
  (((p_position = 'strong_right'::app.vote_position))::integer)::bigint)::app.position_counts;

create or replace function app.own_membership (
  p_hub_id uuid,
  OUT role app.hub_role,
  OUT seen_at timestamp with time zone
)
  returns record
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
begin
  select m.role, m.seen_at into own_membership.role, own_membership.seen_at
  from app.memberships as m
  where m.hub_id = p_hub_id and m.user_id = app.user_id();
end
$function$;

create or replace function app.post_detail (
  p_post_id uuid,
  p_hub_id uuid default null::uuid
)
  returns json
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  return (app.post_cards(
    array[p_post_id], p_hub_id, p_level => app.viewer_level(), p_posts => array[app.require_post(p_post_id)]
  ))[1];
end
$function$;

create or replace function app.public_profile (
  p_user_id uuid
)
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  set plan_cache_mode to 'force_generic_plan'
  AS $function$
begin
  return (
    select jsonb_build_object(
      'id', person.id,
      'name', p.full_name,
      'username', p.username,
      'bio', p.bio,
      'profilePhotoUrl', app.photo_url(p.photo_asset_id),
      'isAnonymous', p.user_id is null,
      'counts', jsonb_build_object(
        'followers', coalesce(c.follower_count, 0), 'following', coalesce(c.following_count, 0)
      ),
      'activity', jsonb_build_object(
        'posts', published.post_count,
        'reposts', published.repost_count,
        'comments', app.comment_count(person.id),
        'votes', app.vote_count(person.id)
      ),
      'adminHubs', app.admin_hubs(person.id),
      'viewer', app.viewer_relation(person.id)
    )
    from (values (p_user_id)) as person (id)
    left join app.profiles as p on p.user_id = person.id
    left join app.follow_counts as c on c.user_id = person.id
    cross join lateral (
      select
        count(*) filter (where post.source_post_id is null) as post_count,
        count(post.source_post_id) as repost_count
      from app.posts as post
      where post.author_id = person.id
    ) as published
  );
end
$function$;

create or replace function app.raise_trending_score (
  p_post_id uuid,
  p_weight double precision,
  p_at timestamp with time zone,
  p_are_votes boolean default false
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_score timestamptz := app.activity_score(p_weight, p_at);
begin
  insert into app.score_changes (post_id, former_score, former_active_at)
  select p.id, s.score, s.active_at
  from app.posts as p
  left join app.trending_scores as s on s.post_id = p.id
  where p.id = p_post_id;
  if not found then
    return;
  end if;
  insert into app.trending_scores as s (post_id, score, active_at, vote_score, voted_at)
  values (p_post_id, v_score, p_at, case when p_are_votes then v_score end, case when p_are_votes then p_at end)
  on conflict (post_id) do update
  set score = app.sum_of_scores(s.score, excluded.score), active_at = greatest(s.active_at, excluded.active_at),
    vote_score = app.sum_of_scores(s.vote_score, excluded.vote_score),
    voted_at = coalesce(excluded.voted_at, s.voted_at);
end
$function$;

create or replace function app.rank_votes (
  p_limit integer,
  p_row_limit integer
)
  returns app.ranked_vote[]
  language plpgsql
  set search_path to ''
  AS $function$
declare
  -- Voters in more than 200 Hubs come last, so that no other vote waits for their many feed events.
  v_next tid[] := array(
    select f.ctid
    from (
      select first.*, sum(first.hub_count + 1) over (order by first.place) as row_count
      from (
        select n.ctid, n.hub_count, row_number() over (order by n.hub_count > 200, n.cast_at) as place
        from app.fresh_votes as n
        order by n.hub_count > 200, n.cast_at
        limit p_limit
      ) as first
    ) as f
    where f.row_count <= p_row_limit or f.place = 1
  );
  v_ranked app.ranked_vote[];
begin
  -- Voters, then posts, then votes: see "Lock order" in docs/architecture.md.
  perform from app.users as u
  where u.id in (select f.user_id from app.fresh_votes as f where f.ctid = any (v_next))
  order by u.id
  for share;
  perform from app.posts as p
  where p.id in (select f.post_id from app.fresh_votes as f where f.ctid = any (v_next))
  order by p.id
  for no key update;
  with taken as (
    delete from app.fresh_votes where ctid = any (v_next) returning *
  ),
  hourly as (
    insert into app.vote_hours as h (cast_hour, vote_count)
    select date_trunc('hour', t.cast_at, 'UTC'), count(*) from taken as t group by 1
    on conflict (cast_hour) do update set vote_count = h.vote_count + excluded.vote_count
  ),
  counted as (
    update app.posts as p
    set vote_count = p.vote_count + more.count
    from (select t.post_id, count(*)::integer as count from taken as t group by t.post_id) as more
    where p.id = more.post_id
    returning p.id, p.is_public, p.vote_count, p.vote_count - more.count as former_count
  ),
  reached as (
    insert into app.milestones (post_id, next_total, last_total)
    select c.id, c.former_count + 1, c.vote_count
    from counted as c
    where c.is_public
      and (
        c.vote_count > app.voter_milestone()
        or c.vote_count / app.author_milestone() > c.former_count / app.author_milestone()
      )
  )
  select array_agg(
    (
      t.post_id, t.user_id,
      case when c.is_public then c.former_count + t.place end, t.activity_at, t.is_held
    )::app.ranked_vote
    order by random()
  )
  into v_ranked
  from (
    select taken.*, row_number() over (partition by taken.post_id order by taken.cast_at, taken.user_id) as place
    from taken
  ) as t
  left join counted as c on c.id = t.post_id;
  perform app.count_trending_votes(v.post_id, count(*))
  from unnest(v_ranked) as v
  join app.posts as p on p.id = v.post_id and p.author_id <> v.user_id
  group by v.post_id;
  return coalesce(v_ranked, '{}');
end
$function$;

create or replace function app.require_membership (
  p_hub_id uuid,
  p_role app.hub_role default 'member'::app.hub_role,
  p_hidden text default null::text,
  OUT role app.hub_role,
  OUT seen_at timestamp with time zone
)
  returns record
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_mine record := app.own_membership(p_hub_id);
begin
  perform app.require_level(4);
  role := v_mine.role;
  seen_at := v_mine.seen_at;
  if require_membership.role is null then
    perform app.refuse_non_member(p_hub_id, p_hidden);
  end if;
  if require_membership.role < p_role then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
end
$function$;

create or replace function app.require_post (
  p_post_id uuid
)
  returns app.posts
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  v_post app.posts;
begin
  select * into v_post from app.seen_post(p_post_id, app.user_id());
  if v_post.id is null then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return v_post;
end
$function$;

create or replace function app.session_is_live (
  p_claims jsonb
)
  returns boolean
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
begin
  return exists (select from app.user_of_session(p_claims));
end
$function$;

create or replace function app.user_of_session (
  p_claims jsonb
)
  returns SETOF uuid
  language sql
  stable
BEGIN ATOMIC
 select session.user_id
    from ( select s.user_id
            from app.sessions s
           where (s.id = ((user_of_session.p_claims ->> 'session_id'::text))::uuid)
          OFFSET 0) session
   where
     ((session.user_id = ((user_of_session.p_claims ->> 'sub'::text))::uuid) AND ((((user_of_session.p_claims
     ->> 'exp'::text))::bigint)::numeric > EXTRACT(epoch from app.now())));
end;

create or replace function app.vote_count (
  p_user_id uuid
)
  returns bigint
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  v_lag interval := interval '30 minutes';
  v_until timestamptz := date_bin(v_lag, app.now() - v_lag, timestamptz 'epoch');
begin
  if p_user_id = app.user_id() then
    return (select count(*) from app.vote_receipts as r where r.user_id = p_user_id);
  end if;
  -- Leave out votes that no feed shows yet.
  return (
    select count(*) from app.vote_receipts as r where r.user_id = p_user_id and r.voted_at < v_until
  ) - (
    select count(*)
    from app.held_votes as h
    join app.vote_receipts as own on own.post_id = h.post_id and own.user_id = h.user_id
    where h.user_id = p_user_id and coalesce(h.released_at, 'infinity') >= v_until and own.voted_at < v_until
  );
end
$function$;

create or replace function gateway.find_caller (
  p_claims jsonb,
  p_with_level boolean,
  OUT user_id uuid,
  OUT level integer
)
  returns record
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
begin
  select
    caller.id,
    case when p_with_level then (select l.level from app.user_levels as l where l.user_id = caller.id) end
  into find_caller.user_id, find_caller.level
  from app.user_of_session(p_claims) as caller (id);
end
$function$;

create or replace function staff.admit (
  p_email text,
  p_role staff.role,
  p_reason text,
  p_login text default null::text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_email text := lower(btrim(p_email));
begin
  if p_role <> 'admin' then
    perform staff.refuse_oneself(v_email);
  end if;
  insert into staff.allowed_emails (email, role) values (v_email, p_role)
  on conflict (email) do update set role = excluded.role;
  if p_login is not null then
    insert into staff.logins (login, email) values (p_login, v_email) on conflict (login) do nothing;
    if not exists (select from staff.logins as l where l.login = p_login and l.email = v_email) then
      perform app.refuse_argument('{login}', 'taken', 'Is the login of somebody else.');
    end if;
  end if;
  perform staff.record(
    'admit', p_reason, jsonb_strip_nulls(jsonb_build_object('email', v_email, 'role', p_role, 'login', p_login))
  );
end
$function$;

create or replace function api.admit_staff (
  jsonb
)
  returns jsonb
  language sql
  set search_path to ''
BEGIN ATOMIC
 select staff.admit(($1 ->> 'email'::text), (($1 ->> 'role'::text))::staff.role, ($1 ->> 'reason'::text))
  AS admit;
 SELECT '{}'::jsonb AS jsonb;
END;

create or replace function staff.dismiss (
  p_email text,
  p_reason text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_email text := lower(btrim(p_email));
  v_was_listed boolean;
begin
  perform staff.refuse_oneself(v_email);
  delete from staff.allowed_emails as a where a.email = v_email;
  v_was_listed := found;
  delete from staff.sessions as s where s.email = v_email;
  if not v_was_listed and not found then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  perform staff.record('dismiss', p_reason, jsonb_build_object('email', v_email));
end
$function$;

create or replace function api.dismiss_staff (
  jsonb
)
  returns jsonb
  language sql
  set search_path to ''
BEGIN ATOMIC
 select staff.dismiss(($1 ->> 'email'::text), ($1 ->> 'reason'::text))
  AS dismiss;
 SELECT '{}'::jsonb AS jsonb;
END;

create or replace function staff.id_before (
  p_id uuid
)
  returns uuid
  language sql
  immutable
RETURN
  COALESCE(NULLIF(p_id, '00000000-0000-0000-0000-000000000000'::uuid),
  'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid);

create or replace function api.list_audit_log (
  jsonb
)
  returns jsonb
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 with requested
  AS MATERIALIZED (
          SELECT r.list,
             r.size,
             staff.id_before(r.id) AS id
            FROM staff.requested_page('list_audit_log'::text, $1) r(list, at, id, size)
         ), found AS (
          SELECT a.id,
             a.occurred_at,
             a.actor_email,
             a.action,
             a.details,
             row_number() OVER (ORDER BY a.id DESC) AS place
            FROM staff.audit_log a
           WHERE (a.id < ( SELECT q_1.id
                    FROM requested q_1))
           ORDER BY a.id DESC
          LIMIT ( SELECT (q_1.size + 1)
                    FROM requested q_1)
         )
  SELECT jsonb_build_object('items', COALESCE(jsonb_agg(jsonb_build_object('entryId', f.id, 'occurredAt', app.iso(f.occurred_at), 'actor', f.actor_email, 'action', f.action, 'details', f.details) ORDER BY f.place) FILTER (WHERE (f.place <= q.size)), '[]'::jsonb), 'nextCursor',
         CASE
             WHEN bool_or((f.place > q.size)) THEN min(app.encode_cursor(q.list, f.occurred_at, f.id)) FILTER (WHERE (f.place = q.size))
             ELSE NULL::text
         END) AS jsonb_build_object
    FROM (requested q
      LEFT JOIN found f ON (true));
END;

create or replace function api.list_closed_reports (
  jsonb
)
  returns jsonb
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 with requested
  AS MATERIALIZED (
          SELECT r.list,
             r.size,
             staff.id_before(r.id) AS id
            FROM staff.requested_page('list_closed_reports'::text, $1) r(list, at, id, size)
         ), found AS (
          SELECT r.id,
             r.state,
             r.reason,
             r.details,
             r.created_at,
             r.reporter_id,
             r.is_by_service,
             r.target_kind,
             r.target_id,
             r.author_id,
             r.target_name,
             r.content,
             r.is_gone,
             r.is_author_gone,
             e.closed_at,
             row_number() OVER (ORDER BY r.id DESC) AS place
            FROM (staff.reports r
              LEFT JOIN app.evidence e ON ((e.report_id = r.id)))
           WHERE ((r.state <> 'open'::app.report_state) AND (r.id < ( SELECT q_1.id
                    FROM requested q_1)))
           ORDER BY r.id DESC
          LIMIT ( SELECT (q_1.size + 1)
                    FROM requested q_1)
         )
  SELECT jsonb_build_object('items', COALESCE(jsonb_agg(jsonb_build_object('reportId', f.id, 'target', jsonb_build_object('kind', f.target_kind, 'id', f.target_id, 'name', f.target_name), 'authorId', f.author_id, 'content', f.content, 'reason', f.reason, 'details', f.details, 'state', f.state, 'createdAt', app.iso(f.created_at), 'closedAt', app.iso(f.closed_at)) ORDER BY f.place) FILTER (WHERE (f.place <= q.size)), '[]'::jsonb), 'nextCursor',
         CASE
             WHEN bool_or((f.place > q.size)) THEN min(app.encode_cursor(q.list, f.created_at, f.id)) FILTER (WHERE (f.place = q.size))
             ELSE NULL::text
         END) AS jsonb_build_object
    FROM (requested q
      LEFT JOIN found f ON (true));
END;

create or replace function staff.numbers()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function api.get_staff_numbers (
  jsonb
)
  returns jsonb
  language sql
  stable
  set search_path to ''
BEGIN ATOMIC
 select staff.numbers()
  AS numbers;
END;

create or replace function staff.refuse_oneself (
  p_email text
)
  returns void
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  if p_email = staff.actor() then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
end
$function$;

-- Votes wait for it, so who has many creates it before, concurrently (docs/deployment.md).
-- squawk-ignore require-concurrent-index-creation
create index if not exists vote_receipts_user_id_voted_at_idx on app.vote_receipts using btree (user_id, voted_at);

-- Last, because from here on reads wait too: it takes no time.
-- squawk-ignore require-concurrent-index-deletion
drop index "app"."vote_receipts_user_id_idx";

create policy "discussions_select" on "app"."discussions"
  for select
  to "authenticated"
  using (((not is_hidden) AND (hub_id in ( select mine.hub_id
   from app.my_hubs mine)) AND ((not (exists ( select
   from app.blocked_users))) or (not app.is_post_across_block(post_id)) or (hub_id in ( select mine.hub_id
   from app.my_hubs mine
  where (mine.role >= 'manager'::app.hub_role))))));

comment on function "api"."admit_staff"(jsonb) is 'POST /admin/staff/admit (docs/product.md S16).';

comment on function "api"."dismiss_staff"(jsonb) is 'POST /admin/staff/dismiss (docs/product.md S16).';

comment on function "api"."get_staff_numbers"(jsonb) is 'GET /admin/numbers (docs/product.md S26).';

comment on function "api"."list_audit_log"(jsonb) is 'GET /admin/audit-log (docs/product.md S6, S16).';

comment on function "api"."list_closed_reports"(jsonb) is 'GET /admin/closed-reports (docs/product.md S9).';

comment on function "api"."list_staff"(jsonb) is 'GET /admin/staff (docs/product.md S16).';

comment on function "app"."one_vote"(app.vote_position) is 'Returns the counts of a single vote.';

comment on function "app"."own_membership"(uuid) is 'Returns the caller''s role in a Hub, and when they last used it; nulls for a non-member.';

comment on function "app"."raise_trending_score"(uuid, double precision, timestamp
  with time zone, boolean) is 'Adds activity of a weight and time to the trending score of a post, and to the share of the votes if these are votes.';

comment on function "app"."rank_votes"(integer, integer) is 'Deletes the oldest fresh votes, counts them at their posts and hours, raises trending scores, and queues the milestones reached.';

comment on function "app"."session_is_live"(jsonb) is 'Returns whether an access token with these verified claims is valid (app.user_of_session).';

comment on function "app"."user_of_session"(jsonb) is 'Returns the user of an access token with these verified claims, if it is valid: it has not expired and its session has not ended.';

comment on function "staff"."id_before"(uuid) is 'Returns the id before which a page of a list of staff begins, newest first.';

comment on function "staff"."numbers"() is 'Returns the numbers of the day (docs/product.md S26): people who joined and posts, up to 100,000 of each, votes and open reports.';

comment on function "staff"."refuse_oneself"(text) is 'Raises FORBIDDEN for the e-mail of the caller: nobody ends their own rights by mistake (docs/product.md S16).';

comment on table "app"."vote_hours" is 'One row per hour: the number of votes of the whole service, up to the last fold.';

revoke all on function "api"."admit_staff"(jsonb) from public;

grant execute on function "api"."admit_staff"(jsonb) to "opine_gateway", "postgres", "staff_admin";

revoke all on function "api"."dismiss_staff"(jsonb) from public;

grant execute on function "api"."dismiss_staff"(jsonb) to "opine_gateway", "postgres", "staff_admin";

revoke all on function "api"."get_staff_numbers"(jsonb) from public;

grant execute on function "api"."get_staff_numbers"(jsonb) to "opine_gateway", "postgres", "staff_support";

revoke all on function "api"."list_audit_log"(jsonb) from public;

grant execute on function "api"."list_audit_log"(jsonb) to "opine_gateway", "postgres", "staff_admin";

revoke all on function "api"."list_closed_reports"(jsonb) from public;

grant execute on function "api"."list_closed_reports"(jsonb) to "opine_gateway", "postgres", "staff_moderator";

revoke all on function "api"."list_staff"(jsonb) from public;

grant execute on function "api"."list_staff"(jsonb) to "opine_gateway", "postgres", "staff_admin";

revoke all on function "app"."one_vote"(app.vote_position) from public;

grant execute on function "app"."one_vote"(app.vote_position) to "postgres";

revoke all on function "app"."own_membership"(uuid) from public;

grant execute on function "app"."own_membership"(uuid) to "anon", "authenticated", "postgres";

revoke all
  on function "app"."raise_trending_score"(uuid, double precision, timestamp with time zone, boolean)
  from public;

grant execute
  on function "app"."raise_trending_score"(uuid, double precision, timestamp with time zone, boolean)
  to "postgres";

revoke all on function "app"."user_of_session"(jsonb) from public;

grant execute on function "app"."user_of_session"(jsonb) to "postgres";

revoke all on function "staff"."id_before"(uuid) from public;

grant execute on function "staff"."id_before"(uuid) to "postgres", "staff_moderator";

revoke all on function "staff"."numbers"() from public;

grant execute on function "staff"."numbers"() to "postgres", "staff_support";

revoke all on function "staff"."refuse_oneself"(text) from public;

grant execute on function "staff"."refuse_oneself"(text) to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "app"."vote_hours"
  to "postgres";
