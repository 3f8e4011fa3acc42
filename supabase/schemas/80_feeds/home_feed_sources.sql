create function app.home_feed_sources()
returns table (author_id uuid, context text)
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_user_id uuid := app.user_id();
begin
  if v_user_id is not null then
    return query
    select v_user_id, 'own_post' where exists (select from app.posts as p where p.author_id = v_user_id)
    union all
    select f.followee_id, 'followed_author' from app.follows as f where f.follower_id = v_user_id;
    if found then
      return;
    end if;
  end if;
  return query select d.user_id, 'default_feed_user' from app.default_feed_users as d;
end
$$;
comment on function app.home_feed_sources() is 'Whose posts the caller''s home feed holds and why (feedContext): their own and those of whom they follow; the default feed users'' where there is neither.';

revoke all on function app.home_feed_sources() from public;
grant execute on function app.home_feed_sources() to anon, authenticated;
