set local lock_timeout = '5s';
set local statement_timeout = '60s';

set local check_function_bodies = off;

drop policy "discussions_select" on "app"."discussions";

-- It takes no time, and waits five seconds at most.
-- squawk-ignore require-concurrent-index-deletion
drop index "app"."vote_receipts_user_id_idx";

drop function "app"."one_vote"(app.vote_position);

drop function "app"."raise_trending_score"(uuid, double precision, timestamp with time zone);

create table "app"."receipt_counts" (
  "user_id" uuid not null,
  "counted_until" timestamp with time zone not null,
  "count" bigint not null,
  constraint "receipt_counts_count_is_natural" check ((count >= 0)),
  constraint "receipt_counts_pkey" primary key (user_id)
);

alter table "app"."receipt_counts"
  enable row level security;

create or replace function app.count_receipts (
  p_user_ids uuid[]
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  -- Every half hour that app.vote_count shows of others ends later.
  v_until timestamptz := date_trunc('day', app.now() - interval '1 hour', 'UTC');
begin
  if not pg_try_advisory_xact_lock(hashtext('app.receipt_counts')) then
    return;
  end if;
  insert into app.receipt_counts as counted (user_id, counted_until, count)
  select u.id, v_until, coalesce(c.count, 0) + (
    select count(*)
    from app.vote_receipts as r
    where r.user_id = u.id and r.voted_at >= coalesce(c.counted_until, '-infinity') and r.voted_at < v_until
  )
  from app.users as u
  left join app.receipt_counts as c on c.user_id = u.id
  where u.id = any (p_user_ids) and u.ended_at is null and (c.counted_until is null or c.counted_until < v_until)
  on conflict (user_id) do update set counted_until = excluded.counted_until, count = excluded.count;
end
$function$;

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

create or replace function app.erase_held_votes (
  p_user_id uuid
)
  returns void
  language sql
  set search_path to ''
BEGIN ATOMIC
 delete from app.held_votes
   where (held_votes.user_id = erase_held_votes.p_user_id);
 delete from app.receipt_counts
   where (receipt_counts.user_id = erase_held_votes.p_user_id);
end;

create or replace function app.fold_receipts()
  returns boolean
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  v_taken app.ranked_vote[];
  v_vote app.ranked_vote;
begin
  perform pg_advisory_xact_lock(hashtext('app.fold_receipts'));
  v_taken := app.rank_votes(500, 5000);
  foreach v_vote in array v_taken loop
    update app.vote_receipts as r
    set baseline = coalesce(r.baseline, v_vote.baseline)
    where r.post_id = v_vote.post_id and r.user_id = v_vote.user_id;
    update app.rate_limits as l set used_at = l.used_at where l.kind = 'votes' and l.subject = v_vote.user_id::text;
  end loop;
  insert into app.held_votes (post_id, user_id, due_at)
  select v.post_id, u.id, v.activity_at
  from unnest(v_taken) as v
  join app.users as u on u.id = v.user_id and u.ended_at is null
  where v.activity_at is not null and v.is_held
  on conflict (post_id, user_id) do nothing;
  perform app.record_activity('voted', voted.user_id, voted.post_id, voted.activity_at)
  from (
    select v.*
    from unnest(v_taken) as v
    join app.users as u on u.id = v.user_id and u.ended_at is null
    where v.activity_at is not null and not v.is_held
    order by v.user_id, v.post_id
  ) as voted;
  perform app.count_receipts(array(select distinct v.user_id from unnest(v_taken) as v));
  return v_taken <> '{}';
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

create or replace function app.move_votes (
  p_from uuid,
  p_into uuid
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
begin
  update app.held_votes as h
  set user_id = p_into
  where h.user_id = p_from
    and not exists (select from app.held_votes as own where own.post_id = h.post_id and own.user_id = p_into);
  delete from app.held_votes where user_id = p_from;
  update app.fresh_votes as f
  set user_id = case
    when not exists (
      select from app.vote_receipts as own where own.post_id = f.post_id and own.user_id = p_into
    ) then p_into
  end
  where f.user_id = p_from;
  -- The next fold of a vote counts them anew.
  delete from app.receipt_counts where user_id in (p_from, p_into);
  update app.vote_receipts as r
  set user_id = p_into
  where r.user_id = p_from
    and not exists (select from app.vote_receipts as own where own.post_id = r.post_id and own.user_id = p_into);
  delete from app.vote_receipts where user_id = p_from;
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

create or replace function app.uncount_receipts()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  perform pg_advisory_xact_lock_shared(hashtext('app.receipt_counts'));
  perform
  from app.receipt_counts as c
  where c.user_id in (select d.user_id from deleted as d)
  order by c.user_id
  for no key update;
  update app.receipt_counts as c
  set count = c.count - gone.count
  from (
    select d.user_id, count(*) as count
    from deleted as d
    join app.receipt_counts as counted on counted.user_id = d.user_id and d.voted_at < counted.counted_until
    group by d.user_id
  ) as gone
  where c.user_id = gone.user_id;
  return null;
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
  v_is_own boolean := coalesce(p_user_id = app.user_id(), false);
  v_until timestamptz := case
    when v_is_own then 'infinity'
    else date_bin(v_lag, app.now() - v_lag, timestamptz 'epoch')
  end;
  v_counted app.receipt_counts;
  v_count bigint;
begin
  select * into v_counted from app.receipt_counts as c where c.user_id = p_user_id;
  select count(*) + coalesce(v_counted.count, 0) into v_count
  from app.vote_receipts as r
  where r.user_id = p_user_id and r.voted_at < v_until
    and r.voted_at >= coalesce(v_counted.counted_until, '-infinity');
  if v_is_own then
    return v_count;
  end if;
  -- Leave out votes that no feed shows yet.
  return v_count - (
    select count(*)
    from app.held_votes as h
    join app.vote_receipts as r on r.post_id = h.post_id and r.user_id = h.user_id
    where h.user_id = p_user_id and coalesce(h.released_at, 'infinity') >= v_until and r.voted_at < v_until
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

alter table "app"."receipt_counts"
  add constraint "receipt_counts_user_id_fkey" foreign key (user_id) references app.users(id)
    on delete cascade;

-- Votes wait for it, so who has many creates it before, concurrently (docs/deployment.md).
-- squawk-ignore require-concurrent-index-creation
create index if not exists vote_receipts_user_id_voted_at_idx on app.vote_receipts using btree (user_id, voted_at);

create trigger vote_receipts_uncount_after_delete
  after delete on app.vote_receipts referencing OLD table as deleted
  for each STATEMENT
  execute function app.uncount_receipts();

create policy "discussions_select" on "app"."discussions"
  for select
  to "authenticated"
  using (((not is_hidden) AND (hub_id in ( select mine.hub_id
   from app.my_hubs mine)) AND ((not (exists ( select
   from app.blocked_users))) or (not app.is_post_across_block(post_id)) or (hub_id in ( select mine.hub_id
   from app.my_hubs mine
  where (mine.role >= 'manager'::app.hub_role))))));

comment on function "app"."count_receipts"(uuid[]) is 'Counts the receipts of people up to the beginning of the day, if that is not done (app.receipt_counts).';

comment on function "app"."erase_held_votes"(uuid) is 'Deletes what feeds do not show yet of the votes of an ended account, and their number on the profile. The votes stay counted (docs/product.md I18).';

comment on function "app"."one_vote"(app.vote_position) is 'Returns the counts of a single vote.';

comment on function "app"."own_membership"(uuid) is 'Returns the caller''s role in a Hub, and when they last used it; nulls for a non-member.';

comment on function "app"."raise_trending_score"(uuid, double precision, timestamp
  with time zone, boolean) is 'Adds activity of a weight and time to the trending score of a post, and to the share of the votes if these are votes.';

comment on function "app"."session_is_live"(jsonb) is 'Returns whether an access token with these verified claims is valid (app.user_of_session).';

comment on function "app"."uncount_receipts"() is 'Trigger: receipts that a deleted post takes along count no more.';

comment on function "app"."user_of_session"(jsonb) is 'Returns the user of an access token with these verified claims, if it is valid: it has not expired and its session has not ended.';

comment on table "app"."receipt_counts" is 'One row per voter: how many of their receipts are older than counted_until, the beginning of a day. The profile adds those since then (app.vote_count).';

revoke all on function "app"."count_receipts"(uuid[]) from public;

grant execute on function "app"."count_receipts"(uuid[]) to "postgres";

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

revoke all on function "app"."uncount_receipts"() from public;

grant execute on function "app"."uncount_receipts"() to "postgres";

revoke all on function "app"."user_of_session"(jsonb) from public;

grant execute on function "app"."user_of_session"(jsonb) to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "app"."receipt_counts"
  to "postgres";
