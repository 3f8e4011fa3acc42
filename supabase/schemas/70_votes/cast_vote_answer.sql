create function api.cast_vote_answer(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_post app.posts;
begin
  select * into v_post from app.posts as p where p.id = (p_args ->> 'postId')::uuid;
  return jsonb_build_object(
    'postId', (p_args ->> 'postId')::uuid,
    'summary', app.vote_summary(app.pool_totals(v_post.id, app.displayed_hub(v_post, (p_args ->> 'hubId')::uuid)))
  );
end
$$;
comment on function api.cast_vote_answer(jsonb) is 'The answer of api.cast_vote, read after its commit: postId and the summary of the displayed scope with the caller''s vote in it.';

revoke all on function api.cast_vote_answer(jsonb) from public;
grant execute on function api.cast_vote_answer(jsonb) to authenticated;
