create function app.rank_votes(p_limit integer, p_row_limit integer)
returns app.ranked_vote[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  -- Who is in hundreds of Hubs comes last, so that nobody waits for what it takes to show their votes there.
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
  counted as (
    update app.posts as p
    set vote_count = p.vote_count + more.count
    from (select t.post_id, count(*)::integer as count from taken as t group by t.post_id) as more
    where p.id = more.post_id
    returning p.id, p.visibility, p.vote_count, p.vote_count - more.count as former_count
  ),
  reached as (
    insert into app.milestones (post_id, next_total, last_total)
    select c.id, c.former_count + 1, c.vote_count
    from counted as c
    where c.visibility <> 'private_locked_hub'
      and (c.vote_count > 500 or c.vote_count / 100 > c.former_count / 100)
  )
  select array_agg(
    (
      t.post_id, t.user_id,
      case when c.visibility <> 'private_locked_hub' then c.former_count + t.place end
    )::app.ranked_vote
    order by random()
  )
  into v_ranked
  from (
    select taken.*, row_number() over (partition by taken.post_id order by taken.cast_at, taken.user_id) as place
    from taken
  ) as t
  left join counted as c on c.id = t.post_id;
  perform app.raise_trending_score(v.post_id, count(*)) from unnest(v_ranked) as v group by v.post_id;
  return coalesce(v_ranked, '{}');
end
$$;
comment on function app.rank_votes(integer, integer) is 'Takes so many of the votes that were cast first since the last fold, fewer where they come into more than p_row_limit streams, counts them to their posts, and queues what milestones that reaches. Answers them in an order by lot.';

revoke all on function app.rank_votes(integer, integer) from public;
