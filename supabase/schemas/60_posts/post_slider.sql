create function app.post_slider(p_post app.posts)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return case when p_post.slider_text is not null then jsonb_build_object(
    'leftLabel', p_post.left_label, 'rightLabel', p_post.right_label
  ) end;
end
$$;
comment on function app.post_slider(app.posts) is 'The labels of a post''s slider (spec.md "Post frame"), null where it has none.';

revoke all on function app.post_slider(app.posts) from public;
grant execute on function app.post_slider(app.posts) to anon, authenticated;
