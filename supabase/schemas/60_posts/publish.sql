create function app.publish(p_args jsonb, p_article_id uuid, p_source_post_id uuid)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_hub_ids uuid[] := array(
    select target.id::uuid from jsonb_array_elements_text(coalesce(nullif(p_args -> 'hubIds', 'null'), '[]')) as target (id)
  );
  v_has_slider boolean := p_args ->> 'sliderText' is not null;
  v_post_id uuid;
begin
  -- Memberships are locked before the author and the source post.
  perform app.lock_own_memberships(v_hub_ids);
  insert into app.posts (
    author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility, is_shareable
  )
  values (
    app.user_id(),
    p_article_id,
    p_source_post_id,
    p_args ->> 'thoughtText',
    p_args ->> 'sliderText',
    case when v_has_slider then coalesce(p_args -> 'slider' ->> 'leftLabel', 'Disagree') end,
    case when v_has_slider then coalesce(p_args -> 'slider' ->> 'rightLabel', 'Agree') end,
    (p_args ->> 'visibility')::app.post_visibility,
    p_args ->> 'visibility' <> 'private_locked_hub' or cardinality(v_hub_ids) > 1
  )
  returning id into v_post_id;
  perform app.place_post(v_post_id, v_hub_ids, 'targeted');
  return app.post_detail(v_post_id);
end
$$;
comment on function app.publish(jsonb, uuid, uuid) is 'Publishes a frame of the caller''s: an article of theirs, or a repost, with thoughtText, sliderText and slider of p_args, to its visibility and hubIds; answers its detail. Raises FORBIDDEN for a Hub that the caller is no active member of.';

revoke all on function app.publish(jsonb, uuid, uuid) from public;
grant execute on function app.publish(jsonb, uuid, uuid) to authenticated;
