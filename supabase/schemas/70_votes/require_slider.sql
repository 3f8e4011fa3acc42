create function app.require_slider(p_post_id uuid)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_has_slider boolean := (select p.slider_text is not null from app.posts as p where p.id = p_post_id);
begin
  if v_has_slider is null then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  if not v_has_slider then
    raise exception using errcode = 'PT409', message = 'POST_NOT_VOTABLE';
  end if;
end
$$;
comment on function app.require_slider(uuid) is 'Lets a post pass that the caller may see and that has a slider. Raises POST_NOT_FOUND, POST_NOT_VOTABLE.';

revoke all on function app.require_slider(uuid) from public;
grant execute on function app.require_slider(uuid) to anon, authenticated;
