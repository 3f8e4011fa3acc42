/** What feeds hold of a post but for votes and reposts. */
const KEPT = `
select e.hub_id, e.actor_id, e.kind, e.occurred_at
from app.feed_events as e
where e.post_id = v_post_id and e.kind not in ('voted', 'reposted')
`;

/**
 * SQL which lets one post be published, placed, commented on and shared again under the triggers, which must write what
 * the population has. Then all is as it was, by a block that fails.
 */
export const TRIAL = `
do $$
declare
  v_post_id uuid;
  v_differ boolean;
begin
  begin
    select pg_temp.id_of(f.i) into strict v_post_id
    from frames as f
    where f.visibility = 'public_hub'
      and f.i in (select a.post from acts as a where a.kind = 'commented')
      and f.i in (select a.post from acts as a where a.kind = 'shared_to_feed')
    order by f.i
    limit 1;
    create temp table written as ${KEPT};
    create temp table tried_posts as select p.* from app.posts as p where p.id = v_post_id;
    create temp table tried_placements as select p.* from app.placements as p where p.post_id = v_post_id;
    create temp table tried_comments as select c.* from app.comments as c where c.post_id = v_post_id;
    create temp table tried_shares as select s.* from app.feed_shares as s where s.post_id = v_post_id;
    delete from app.feed_events as e where e.post_id = v_post_id;
    delete from app.placements as p where p.post_id = v_post_id;
    delete from app.comments as c where c.post_id = v_post_id;
    delete from app.feed_shares as s where s.post_id = v_post_id;
    delete from app.posts as p where p.id = v_post_id;
    set local session_replication_role = origin;
    insert into app.posts (
      id, author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility, is_shareable,
      comment_count, repost_count, vote_count, created_at
    )
    select
      id, author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility, is_shareable,
      comment_count, repost_count, vote_count, created_at
    from tried_posts;
    insert into app.placements select * from tried_placements;
    insert into app.comments select * from tried_comments;
    insert into app.feed_shares select * from tried_shares;
    v_differ := exists ((table written except all ${KEPT}) union all (${KEPT} except all table written));
    raise sqlstate 'UNDO0';
  exception when sqlstate 'UNDO0' then null;
  end;
  if v_differ then
    raise exception 'the triggers of feeds write something else';
  end if;
end
$$;
`;
