-- Answers a repeated request: reads anew what the first one created, as the caller may see it now.
--
-- The one list of how each operation that honours an Idempotency-Key is read. Args: p_args (of the request,
-- which equal those of the first but for new tokens); p_ids and p_tokens (of gateway.remember). Returns the
-- data as JSON text. Errors: the 404 of what the caller cannot see any more; UPLOAD_CONFLICT (an expired
-- upload).
create function app.replay_answer(p_operation text, p_args jsonb, p_ids uuid[], p_tokens text[]) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_id uuid := p_ids[1];
  v_user_id uuid := (p_args ->> 'userId')::uuid;
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_answer jsonb;
begin
  -- Cards are json, which is not built again.
  if p_operation in ('create_post', 'create_repost') then
    return app.post_detail(v_id)::text;
  end if;
  case p_operation
    when 'follow_user' then
      v_answer := jsonb_build_object('following', app.viewer_relation(app.require_person(v_user_id)) -> 'follows');
    when 'block_user' then
      v_answer := jsonb_build_object('blocked', app.viewer_relation(app.require_person(v_user_id)) -> 'blocking');
    when 'presign_upload' then
      v_answer := app.open_upload_json(v_id);
    when 'complete_upload' then
      v_answer := app.found(app.completed_asset_json(v_id), 'ASSET_NOT_FOUND');
    when 'share_to_feed' then
      v_answer := app.found(app.feed_share_json(v_post_id), 'POST_NOT_FOUND');
    when 'share_to_hubs' then
      v_answer := app.hub_shares_json(
        (app.require_post(v_post_id)).id, app.ids_argument(p_args, 'hubIds', 1, 20), p_ids
      );
    when 'save_post' then
      v_answer := app.save_state(app.require_post(v_post_id));
    when 'create_comment' then
      v_answer := app.found(app.comment_json(v_id), 'COMMENT_NOT_FOUND');
    when 'report_user', 'report_post', 'report_comment', 'report_message', 'report_hub' then
      v_answer := app.found(app.own_report_json(v_id), 'REPORT_NOT_FOUND');
    when 'appeal_decision' then
      v_answer := app.found(app.decision_json(v_id), 'DECISION_NOT_FOUND');
    when 'create_hub' then
      v_answer := app.hub_json(v_id);
    when 'create_invitations' then
      v_answer := app.found(app.new_invitations_json(v_hub_id, p_ids, p_tokens), 'INVITATION_NOT_FOUND');
    when 'accept_invitation' then
      v_answer := app.acceptance_json(app.require_hub(v_id));
    when 'create_invite_link' then
      v_answer := app.found(app.new_invite_link_json(v_id, p_tokens[1]), 'INVITE_LINK_NOT_FOUND');
    when 'request_to_join' then
      v_answer := app.found(app.join_request_json(v_id), 'JOIN_REQUEST_NOT_FOUND');
    when 'approve_join_request' then
      v_answer := app.found(app.join_request_json(v_id), 'JOIN_REQUEST_NOT_FOUND') - 'hubId';
    when 'create_message' then
      v_answer := app.found(app.new_message_json(v_id), 'MESSAGE_NOT_FOUND');
    when 'save_discussion' then
      v_answer := app.found(app.discussion_save_state((p_args ->> 'discussionId')::uuid), 'DISCUSSION_NOT_FOUND');
  end case;
  return v_answer::text;
end
$$;
comment on function app.replay_answer is 'Reads anew what a repeated request created (docs/product.md W17, W18).';
grant execute on function app.replay_answer to authenticated;
