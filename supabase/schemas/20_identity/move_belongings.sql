create function app.move_belongings(p_from uuid, p_into uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- People whom follows and blocks connect with the account cannot end theirs while these move.
  perform from app.users as u
  where u.id in (
    select f.followee_id from app.follows as f where f.follower_id = p_from
    union all
    select f.follower_id from app.follows as f where f.followee_id = p_from
    union all
    select b.blocked_id from app.blocks as b where b.blocker_id = p_from
    union all
    select b.blocker_id from app.blocks as b where b.blocked_id = p_from
  )
  order by u.id
  for key share;
  -- Nobody deletes a post while comments, saved posts and feed events on it move.
  perform from app.posts as p
  where p.id in (
    select own.id from app.posts as own where own.author_id = p_from
    union all
    select c.post_id from app.comments as c where c.author_id = p_from
    union all
    select s.post_id from app.saved_posts as s where s.user_id = p_from
    union all
    select e.post_id from app.feed_events as e where e.actor_id = p_from
  )
  order by p.id
  for no key update;
  update app.profiles as p
  set user_id = p_into
  where p.user_id = p_from and not exists (select from app.profiles as own where own.user_id = p_into);
  update app.users as u
  set terms_version = coalesce(u.terms_version, other.terms_version),
    terms_accepted_at = coalesce(u.terms_accepted_at, other.terms_accepted_at),
    media_completed_at = coalesce(u.media_completed_at, other.media_completed_at)
  from app.users as other
  where u.id = p_into and other.id = p_from;
  update app.default_feed_users as d
  set user_id = p_into
  where d.user_id = p_from and not exists (select from app.default_feed_users as own where own.user_id = p_into);
  update app.stored_objects set owner_id = p_into where owner_id = p_from;
  update app.assets set owner_id = p_into where owner_id = p_from;
  update app.uploads set owner_id = p_into where owner_id = p_from;
  perform app.move_relations(p_from, p_into);
  update app.articles set author_id = p_into where author_id = p_from;
  update app.posts set author_id = p_into where author_id = p_from;
  perform app.move_activity(p_from, p_into);
  -- In the order in which the fold takes them.
  update app.fresh_votes as f
  set user_id = case
    when not exists (select from app.vote_receipts as own where own.post_id = f.post_id and own.user_id = p_into) then p_into
  end
  where f.user_id = p_from;
  update app.vote_receipts as r
  set user_id = p_into
  where r.user_id = p_from
    and not exists (select from app.vote_receipts as own where own.post_id = r.post_id and own.user_id = p_into);
  delete from app.vote_receipts where user_id = p_from;
  delete from app.events as e
  using app.events as own
  where e.subject_id = p_from and e.type = 'post_vote_milestone'
    and own.subject_id = p_into and own.type = e.type and own.post_id = e.post_id and (own.milestone_total, own.milestone_count) = (e.milestone_total, e.milestone_count);
  update app.notifications as n
  set actor_id = p_into
  from app.events as e
  where e.actor_id = p_from and n.event_id = e.id;
  update app.notifications as n
  set author_id = p_into
  from app.posts as p
  join app.events as e on e.post_id = p.id
  where p.author_id = p_into and n.event_id = e.id and n.author_id = p_from;
  update app.events set actor_id = p_into where actor_id = p_from;
  update app.events set subject_id = p_into where subject_id = p_from;
  -- Nobody is told that they follow themselves.
  delete from app.events where type = 'user_followed' and actor_id = p_into and subject_id = p_into;
  delete from app.notifications where recipient_id = p_from and actor_id = p_into;
  delete from app.notifications where recipient_id = p_into and actor_id = p_into;
  update app.notifications as n
  set recipient_id = p_into, scope_id = case when n.audience = 'hub_member' then n.scope_id else p_into end,
    author_id = nullif(n.author_id, p_into)
  where n.recipient_id = p_from
    and not exists (select from app.notifications as own where own.event_id = n.event_id and own.recipient_id = p_into);
  delete from app.notifications where recipient_id = p_from;
  delete from app.inbox_counts where user_id = p_from;
  update app.device_tokens set user_id = p_into, session_id = null where user_id = p_from;
  perform app.keep_newest_device_tokens(p_into);
end
$$;
comment on function app.move_belongings(uuid, uuid) is 'Makes what is p_from''s p_into''s (contract.md 3, "Merge"): table by table as docs/decisions/006-merge.md says; where both have the same, p_into''s stays. Pools are not touched. Run again it moves what has come since.';

revoke all on function app.move_belongings(uuid, uuid) from public;
