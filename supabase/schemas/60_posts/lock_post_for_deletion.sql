create function app.lock_post_for_deletion(p_post_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.hold_memberships(p.author_id) from app.posts as p where p.id = p_post_id;
  -- The original as well: it counts its reposts.
  perform from app.posts as p
  where p.id in (p_post_id, (select own.source_post_id from app.posts as own where own.id = p_post_id))
  order by p.id
  for no key update;
end
$$;
comment on function app.lock_post_for_deletion(uuid) is 'Locks the author of a post, then the post and its original in the order of their ids, so that its deletion cannot deadlock with a Hub move, a fold or a repost.';

revoke all on function app.lock_post_for_deletion(uuid) from public;
grant execute on function app.lock_post_for_deletion(uuid) to authenticated;
