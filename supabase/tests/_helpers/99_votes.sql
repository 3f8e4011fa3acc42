create function tests.counts(p_post text, p_hub text default null)
returns text
language plpgsql
stable
as $$
begin
  if current_user not in ('anon', 'authenticated') then
    return (
      select row(
        sum(c.strong_left_count), sum(c.left_count), sum(c.neutral_count), sum(c.right_count), sum(c.strong_right_count)
      )::app.position_counts::text
      from (
        select post_id, scope_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count from app.vote_pools
        union all
        select post_id, scope_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count from app.vote_slots
      ) as c
      where c.post_id = tests.id(p_post) and c.scope_id = tests.id(coalesce(p_hub, p_post))
      having count(*) > 0
    );
  end if;
  return nullif(app.pool_totals(tests.id(p_post), tests.id(p_hub))::text, '(,,,,)');
end
$$;
comment on function tests.counts(text, text) is 'The votes on a post in its global scope, or in that of a Hub, as the caller sees them, and as they are where nobody is: "(0,1,0,0,0)"; null where there are none.';

create function tests.pools()
returns setof text
language sql
stable
begin atomic
  select p.slider_text || coalesce(' in ' || h.name, '') || ' ' || row(
    sum(c.strong_left_count), sum(c.left_count), sum(c.neutral_count), sum(c.right_count), sum(c.strong_right_count)
  )::app.position_counts::text
  from (
    select post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count from app.vote_pools
    union all
    select post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count from app.vote_slots
  ) as c
  join app.posts as p on p.id = c.post_id
  left join app.hubs as h on h.id = c.hub_id
  group by p.slider_text, c.hub_id, h.name;
end;
comment on function tests.pools() is 'All votes, folded or not: "trams (0,1,0,0,0)", and "trams in elm (0,1,0,0,0)" in the scope of a Hub.';

create function tests.ballots(variadic p_keys text[] default array[tests.key()])
returns setof text
language sql
stable
begin atomic
  select concat_ws(' ', p.slider_text, jsonb_populate_record(null::app.position_counts, opened.ballot -> 'counts')::text, 'for', coalesce((
    select string_agg(h.name, ', ' order by h.name) from app.hubs as h where opened.ballot -> 'hubIds' ? h.id::text
  ), 'whom it does not say'))
  from app.pending_ballots as b
  join app.posts as p on p.id = b.post_id
  cross join lateral (select app.unseal(b.sealed, b.key_id, p_keys) as ballot) as opened;
end;
comment on function tests.ballots(text[]) is 'The ballots since the last fold, opened by these keys: "trams (0,1,0,0,0) for elm, oak".';

create function tests.pending(variadic p_keys text[] default array[tests.key()])
returns setof text
language sql
stable
begin atomic
  select concat_ws(
    ' ', p.slider_text, 'in', h.name, coalesce(nullif(extract(epoch from t.cast_hour - date_trunc('hour', app.now(), 'UTC'))::integer / 3600, 0)::text || ' h', 'now'),
    coalesce(jsonb_populate_record(null::app.position_counts, app.unseal(t.sealed, t.key_id, p_keys))::text, 'sealed')
  )
  from app.pending_totals as t
  join app.posts as p on p.id = t.post_id
  join app.hubs as h on h.id = t.hub_id;
end;
comment on function tests.pending(text[]) is 'The pending totals, opened by these keys where they are: "trams in elm now (0,1,0,0,0)", and "trams in elm -3 h sealed" of the hour three hours ago.';

create function tests.sealed_total(
  p_post text, p_hub text, p_counts app.position_counts, p_hours integer default 0, p_key text default tests.key()
)
returns void
language sql
begin atomic
  select app.add_to_pending(
    tests.id(p_post), tests.id(p_hub), date_trunc('hour', app.now(), 'UTC') + p_hours * interval '1 hour', p_counts, p_key
  );
end;
comment on function tests.sealed_total(text, text, app.position_counts, integer, text) is 'What is pending of a post in a Hub, cast in the hour p_hours from now.';

create function tests.fold(variadic p_keys text[] default array[tests.key()])
returns void
language plpgsql
as $$
begin
  perform app.fold_pools(generation::smallint) from generate_series(0, 1) as generation;
  while app.fold_ballots(p_keys) loop end loop;
  while app.fold_receipts() loop end loop;
end
$$;
comment on function tests.fold(text[]) is 'A fold of all votes with these keys, as the worker does it.';

create function tests.tell_milestones()
returns void
language plpgsql
as $$
begin
  while app.fan_out_milestones() loop end loop;
end
$$;
comment on function tests.tell_milestones() is 'All milestones that were reached are told of.';

create function tests.milestones(p_post text)
returns setof text
language sql
stable
begin atomic
  select format('%s: %s of %s', coalesce(p.username, 'somebody unnamed'), e.milestone_count, e.milestone_total)
  from app.events as e
  left join app.profiles as p on p.user_id = e.subject_id
  where e.type = 'post_vote_milestone' and e.post_id = tests.id(p_post);
end;
comment on function tests.milestones(text) is 'Who is told of which milestones of a post: "maya: 500 of 600".';

create function tests.receipt(p_voter text, p_post text, p_baseline integer default null)
returns void
language sql
begin atomic
  insert into app.vote_receipts (post_id, user_id, voted_at, baseline)
  values (tests.id(p_post), tests.id(p_voter), date_trunc('minute', app.now()), p_baseline);
end;
comment on function tests.receipt(text, text, integer) is 'Somebody voted on a post; as the p_baseline-th, where the fold has said so.';

create function tests.baselines(p_post text)
returns setof text
language sql
stable
begin atomic
  select format('%s: %s', p.username, coalesce(r.baseline::text, 'not ranked'))
  from app.vote_receipts as r
  join app.profiles as p on p.user_id = r.user_id
  where r.post_id = tests.id(p_post);
end;
comment on function tests.baselines(text) is 'The how many-th to vote on a post everybody was: "maya: 3".';
