create function app.move_activity(p_from uuid, p_into uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update app.comments set author_id = p_into where author_id = p_from;
  with gone as (
    delete from app.saved_posts as s where s.user_id = p_from returning s.*
  )
  insert into app.saved_posts (user_id, post_id, saved_at)
  select p_into, gone.post_id, gone.saved_at from gone
  on conflict do nothing;
  delete from app.feed_shares as own
  using app.feed_shares as later
  where own.user_id = p_into and later.user_id = p_from and later.post_id = own.post_id and later.shared_at > own.shared_at;
  update app.feed_shares as s
  set user_id = p_into
  where s.user_id = p_from
    and not exists (select from app.feed_shares as own where own.user_id = p_into and own.post_id = s.post_id);
  delete from app.feed_shares where user_id = p_from;
  perform app.note_act(e.kind, p_into, e.post_id, e.occurred_at)
  from app.feed_events as e
  where e.actor_id = p_from and e.lost_at is null;
  delete from app.feed_events where actor_id = p_from;
  update app.reports as r
  set reporter_id = p_into
  where r.reporter_id = p_from and not exists (
    select from app.reports as own
    where own.reporter_id = p_into and own.state = 'open' and own.target_id = r.target_id
  );
  delete from app.reports where reporter_id = p_from;
  update app.reports as r
  set user_id = p_into
  where r.user_id = p_from and not exists (
    select from app.reports as other
    where other.reporter_id = r.reporter_id and other.user_id = p_into and other.state = 'open'
  );
end
$$;
comment on function app.move_activity(uuid, uuid) is 'Makes the comments, saved posts, shares, reports and feed events of p_from those of p_into; where both have one, p_into''s stays, of shares and events the later.';

revoke all on function app.move_activity(uuid, uuid) from public;
