create function app.require_post(p_post_id uuid)
returns app.posts
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_post app.posts;
begin
  select * into v_post from app.posts as p where p.id = p_post_id;
  if v_post.id is null then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return v_post;
end
$$;
comment on function app.require_post(uuid) is 'A post that the caller may see. Raises POST_NOT_FOUND.';

revoke all on function app.require_post(uuid) from public;
grant execute on function app.require_post(uuid) to anon, authenticated;
