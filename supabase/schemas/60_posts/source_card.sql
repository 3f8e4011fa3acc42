create function app.source_card(p_source app.posts, p_article jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return case when p_source.id is not null then jsonb_build_object(
    'article', p_article,
    'thoughtText', p_source.thought_text,
    'sliderText', p_source.slider_text,
    'slider', app.post_slider(p_source),
    'isShareable', p_source.is_shareable
  ) end;
end
$$;
comment on function app.source_card(app.posts, jsonb) is 'What a repost shows of its original (spec.md "Post frame"): null for a null row, as where the caller may not see it. To whom it is shown, it is shareable if it is at all.';

revoke all on function app.source_card(app.posts, jsonb) from public;
grant execute on function app.source_card(app.posts, jsonb) to anon, authenticated;
