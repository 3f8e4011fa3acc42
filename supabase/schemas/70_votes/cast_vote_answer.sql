create function api.cast_vote_answer(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return jsonb_build_object(
    'postId', (p_args ->> 'postId')::uuid,
    'summary', app.vote_summary(app.pool_totals((p_args ->> 'postId')::uuid))
  );
end
$$;
comment on function api.cast_vote_answer(jsonb) is 'The answer of api.cast_vote, read after its commit: postId and the summary with the caller''s vote in it.';

revoke all on function api.cast_vote_answer(jsonb) from public;
grant execute on function api.cast_vote_answer(jsonb) to authenticated;
