create function app.discussion_card(p_discussion app.discussions, p_post app.discussed_post, p_author jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return jsonb_build_object(
    'id', p_discussion.id,
    'hubId', p_discussion.hub_id,
    'postId', p_discussion.post_id,
    'preview', jsonb_build_object(
      'thoughtText', p_post.thought_text,
      'sliderText', p_post.slider_text,
      'articleTitle', p_post.article_title,
      'author', p_author
    ),
    'messageCount', p_discussion.message_count,
    'lastActivityAt', app.iso(p_discussion.last_activity_at),
    'viewerSaved', p_post.is_saved
  );
end
$$;
comment on function app.discussion_card(app.discussions, app.discussed_post, jsonb) is 'A discussion of a Hub of the caller''s (contract.md 8).';

revoke all on function app.discussion_card(app.discussions, app.discussed_post, jsonb) from public;
grant execute on function app.discussion_card(app.discussions, app.discussed_post, jsonb) to authenticated;
