create function app.take_ballots(p_post_id uuid, p_keys text[], p_is_all boolean default false)
returns setof app.pending_votes
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_key_ids bytea[] := app.key_ids(p_keys);
begin
  return query
  with taken as (
    delete from app.pending_ballots
    where ctid = any (array(
      select first.ctid
      from (
        select b.ctid, row_number() over () as place, sum(length(b.sealed)) over (rows unbounded preceding) as size
        from (
          select n.ctid, n.sealed from app.pending_ballots as n
          where n.post_id = p_post_id and n.key_id = any(v_key_ids)
          limit case when not p_is_all then 100 end
        ) as b
      ) as first
      -- The longer a ballot, the more Hubs it names.
      where p_is_all or first.size <= 131072 or first.place = 1
    ))
    returning *
  ),
  opened as materialized (
    select t.cast_hour, app.unseal(t.sealed, t.key_id, p_keys) as ballot from taken as t
  )
  select
    hub.id::uuid,
    o.cast_hour,
    row(
      sum(vote.strong_left_count), sum(vote.left_count), sum(vote.neutral_count), sum(vote.right_count),
      sum(vote.strong_right_count)
    )::app.position_counts
  from opened as o
  cross join lateral jsonb_populate_record(null::app.position_counts, o.ballot -> 'counts') as vote
  cross join lateral jsonb_array_elements_text(o.ballot -> 'hubIds') as hub (id)
  group by hub.id, o.cast_hour
  order by hub.id, o.cast_hour;
end
$$;
comment on function app.take_ballots(uuid, text[], boolean) is 'Takes the ballots on a post that p_keys open, all of them or at most 100, and counts them by Hub and hour.';

revoke all on function app.take_ballots(uuid, text[], boolean) from public;
