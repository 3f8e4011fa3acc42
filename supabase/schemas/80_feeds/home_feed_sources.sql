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
  if exists (select from app.posts as p where p.author_id = v_user_id) then
    return query select v_user_id, 'own_post';
  else
    return query select d.user_id, 'default_feed_user' from app.default_feed_users as d;
  end if;
end
$$;
comment on function app.home_feed_sources() is 'Whose posts the caller''s home feed holds and why (feedContext): their own as long as they follow nobody; the default feed users'' where there is no own post either.';

revoke all on function app.home_feed_sources() from public;
grant execute on function app.home_feed_sources() to anon, authenticated;
