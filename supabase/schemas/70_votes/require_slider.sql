create function app.require_slider(p_post_id uuid)
returns app.posts
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_post app.posts := app.require_post(p_post_id);
begin
  if v_post.slider_text is null then
    raise exception using errcode = 'PT409', message = 'POST_NOT_VOTABLE';
  end if;
  return v_post;
end
$$;
comment on function app.require_slider(uuid) is 'Lets a post pass that the caller may see and that has a slider, and answers it. Raises POST_NOT_FOUND, POST_NOT_VOTABLE.';

revoke all on function app.require_slider(uuid) from public;
grant execute on function app.require_slider(uuid) to anon, authenticated;
