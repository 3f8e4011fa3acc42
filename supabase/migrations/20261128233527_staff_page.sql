set local lock_timeout = '5s';
set local statement_timeout = '60s';

set local check_function_bodies = off;

create table "app"."vote_hours" (
  "cast_hour" timestamp with time zone not null,
  "vote_count" bigint not null,
  constraint "vote_hours_cast_hour_is_one"
    check ((cast_hour = date_trunc('hour'::text, cast_hour, 'UTC'::text))),
  constraint "vote_hours_pkey" primary key (cast_hour)
);

alter table "app"."vote_hours"
  enable row level security;

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
      where h.cast_hour >= v_today and h.cast_hour < date_trunc('hour', app.now(), 'UTC')
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

comment on function "api"."admit_staff"(jsonb) is 'POST /admin/staff/admit (docs/product.md S16).';

comment on function "api"."dismiss_staff"(jsonb) is 'POST /admin/staff/dismiss (docs/product.md S16).';

comment on function "api"."get_staff_numbers"(jsonb) is 'GET /admin/numbers (docs/product.md S26).';

comment on function "api"."list_audit_log"(jsonb) is 'GET /admin/audit-log (docs/product.md S6, S16).';

comment on function "api"."list_closed_reports"(jsonb) is 'GET /admin/closed-reports (docs/product.md S9).';

comment on function "api"."list_staff"(jsonb) is 'GET /admin/staff (docs/product.md S16).';

comment on function "app"."rank_votes"(integer, integer) is 'Deletes the oldest fresh votes, counts them at their posts and hours, raises trending scores, and queues the milestones reached.';

comment on function "staff"."id_before"(uuid) is 'Returns the id before which a page of a list of staff begins, newest first.';

comment on function "staff"."numbers"() is 'Returns the numbers of the day (docs/product.md S26): people who joined and posts, up to 100,000 of each, votes and open reports.';

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

revoke all on function "staff"."id_before"(uuid) from public;

grant execute on function "staff"."id_before"(uuid) to "postgres", "staff_moderator";

revoke all on function "staff"."numbers"() from public;

grant execute on function "staff"."numbers"() to "postgres", "staff_support";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "app"."vote_hours"
  to "postgres";
