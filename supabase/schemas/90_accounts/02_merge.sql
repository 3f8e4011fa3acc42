create function app.merge_user(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.move_belongings(p_from, p_into);
  perform app.end_user(p_from, p_merged_into => p_into);
end
$$;
comment on function app.merge_user is 'Moves the data of the phoneless account p_from to p_into and ends p_from.';

create function app.move_belongings(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  -- Lock the other users of these follows and blocks, so that their accounts cannot end meanwhile.
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
  -- Lock the posts, so that none is deleted while its comments, saves and feed events move.
  perform from app.posts as p
  where p.id in (
    select own.id from app.posts as own where own.author_id = p_from
    union all
    select c.post_id from app.comments as c where c.author_id = p_from
    union all
    select s.post_id from app.saved_posts as s where s.user_id = p_from
    union all
    select e.post_id from app.feed_events as e where e.actor_id = p_from
    union all
    -- What the blocks of p_from will hide or show for p_into.
    select p.id
    from app.blocked_pairs as b
    join app.posts as p on p.author_id in (b.other_id, p_into)
    join app.comments as c on c.post_id = p.id and c.author_id in (b.other_id, p_into) and c.author_id <> p.author_id
    where b.user_id = p_from
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
  update app.held_votes as h
  set user_id = p_into
  where h.user_id = p_from and not exists (select from app.held_votes as own where own.post_id = h.post_id and own.user_id = p_into);
  delete from app.held_votes where user_id = p_from;
  update app.removed_contents set author_id = p_into where author_id = p_from;
  update app.decision_subjects as s
  set user_id = p_into
  where s.user_id = p_from
    and not exists (select from app.decision_subjects as own where own.decision_id = s.decision_id and own.user_id = p_into);
  delete from app.decision_subjects where user_id = p_from;
  update app.appeals set user_id = p_into where user_id = p_from;
  update app.evidence set author_id = p_into where author_id = p_from;
  update app.articles set author_id = p_into where author_id = p_from;
  update app.posts set author_id = p_into where author_id = p_from;
  perform app.move_activity(p_from, p_into);
  perform app.update_hidden_comments(p_into, pair.other_id)
  from (select distinct b.other_id from app.blocked_pairs as b where b.user_id = p_into) as pair;
  -- Lock the votes before the receipts, as the fold does.
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
  -- One notification of what both did, or of what somebody did to both, within a day.
  delete from app.events as e
  using app.events as own
  where e.actor_id = p_from and e.type in ('user_followed', 'post_shared_to_feed')
    and own.actor_id = p_into and own.type = e.type and coalesce(own.post_id, own.subject_id) = coalesce(e.post_id, e.subject_id)
    and own.occurred_at between e.occurred_at - interval '24 hours' and e.occurred_at + interval '24 hours';
  delete from app.events as e
  using app.events as own
  where e.subject_id = p_from and e.type = 'user_followed'
    and own.subject_id = p_into and own.type = e.type and own.actor_id = e.actor_id
    and own.occurred_at between e.occurred_at - interval '24 hours' and e.occurred_at + interval '24 hours';
  update app.notifications as n
  set actor_id = p_into
  from app.events as e
  where e.actor_id = p_from and n.event_id = e.id;
  update app.notifications as n
  set author_id = case n.author_id when p_from then p_into else n.author_id end,
    scope_id = case n.scope_id when p_from then p_into else n.scope_id end
  from app.posts as p
  join app.events as e on e.post_id = p.id
  where p.author_id = p_into and n.event_id = e.id and n.recipient_id <> p_from and p_from in (n.author_id, n.scope_id);
  update app.notifications as n
  set thread_author_id = p_into
  from app.comments as root
  join app.comments as reply on reply.parent_id = root.id
  join app.events as e on e.comment_id = reply.id
  where root.author_id = p_into and n.event_id = e.id and n.thread_author_id = p_from;
  update app.events set actor_id = p_into where actor_id = p_from;
  update app.events set subject_id = p_into where subject_id = p_from;
  -- A user must not be notified of following themselves.
  delete from app.events where type = 'user_followed' and actor_id = p_into and subject_id = p_into;
  delete from app.notifications where recipient_id = p_from and actor_id = p_into;
  delete from app.notifications where recipient_id = p_into and actor_id = p_into;
  update app.notifications as n
  set recipient_id = p_into, scope_id = case n.scope_id when p_from then p_into else n.scope_id end,
    author_id = nullif(n.author_id, p_into), thread_author_id = nullif(n.thread_author_id, p_into)
  where n.recipient_id = p_from
    and not exists (select from app.notifications as own where own.event_id = n.event_id and own.recipient_id = p_into);
  delete from app.notifications where recipient_id = p_from;
  perform app.lock_inbox_counts();
  delete from app.inbox_counts where user_id = p_from;
  update app.notification_preferences as p
  set user_id = p_into
  where p.user_id = p_from and not exists (select from app.notification_preferences as own where own.user_id = p_into);
  update app.device_tokens set user_id = p_into, session_id = null where user_id = p_from;
  perform app.keep_newest_device_tokens(p_into);
end
$$;
comment on function app.move_belongings is 'Moves the data of p_from to p_into (docs/product.md I16), table by table as docs/decisions/006-merge.md lists; p_into keeps its own value where both have one. Vote pools do not change. A second run moves the data added since the first.';
