create function app.rank_votes(p_limit integer)
returns app.ranked_vote[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_ranked app.ranked_vote[];
begin
  with taken as (
    delete from app.fresh_votes
    where ctid = any (array(select f.ctid from app.fresh_votes as f order by f.cast_at limit p_limit))
    returning *
  ),
  counted as (
    update app.posts as p
    set vote_count = p.vote_count + more.count, trending_at = app.warmed(p.trending_at, more.count)
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
  return coalesce(v_ranked, '{}');
end
$$;
comment on function app.rank_votes(integer) is 'Takes so many of the votes that were cast first since the last fold, counts them to their posts, and queues what milestones that reaches. Answers them in an order by lot.';

revoke all on function app.rank_votes(integer) from public;
