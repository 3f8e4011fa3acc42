create function app.discussion_card(p_discussion app.discussions)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_post record := app.discussed_post(p_discussion.id);
begin
  return jsonb_build_object(
    'id', p_discussion.id,
    'hubId', p_discussion.hub_id,
    'postId', p_discussion.post_id,
    'preview', jsonb_build_object(
      'thoughtText', v_post.thought_text,
      'sliderText', v_post.slider_text,
      'articleTitle', v_post.article_title,
      'author', app.discussion_author(p_discussion.hub_id, v_post.author_id)
    ),
    'messageCount', p_discussion.message_count,
    'lastActivityAt', app.iso(p_discussion.last_activity_at),
    'viewerSaved', exists (
      select from app.saved_discussions as s where s.discussion_id = p_discussion.id and s.user_id = app.user_id()
    )
  );
end
$$;
comment on function app.discussion_card(app.discussions) is 'A discussion of a Hub of the caller''s (contract.md 8).';

revoke all on function app.discussion_card(app.discussions) from public;
grant execute on function app.discussion_card(app.discussions) to authenticated;
