create function app.publish(p_args jsonb, p_article_id uuid, p_source_post_id uuid)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_hub_ids uuid[] := app.ids_argument(p_args, 'hubIds', 0, 20);
  v_slider_text text := app.text_argument(p_args, 'sliderText');
  v_slider jsonb := app.argument(p_args, 'slider', 'object');
  v_post_id uuid;
begin
  if v_slider_text is null and v_slider is not null then
    perform app.refuse_argument('{slider}', 'missing_text', 'Needs a sliderText.');
  end if;
  v_slider := coalesce(v_slider, '{"leftLabel": "Disagree", "rightLabel": "Agree"}');
  -- Memberships are locked before the author and the source post.
  perform app.lock_own_memberships(v_hub_ids);
  insert into app.posts (
    author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility, is_shareable
  )
  values (
    app.user_id(),
    p_article_id,
    p_source_post_id,
    app.text_argument(p_args, 'thoughtText'),
    v_slider_text,
    case when v_slider_text is not null then app.text_argument(v_slider, 'leftLabel', p_within => 'slider') end,
    case when v_slider_text is not null then app.text_argument(v_slider, 'rightLabel', p_within => 'slider') end,
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
