create function api.cast_vote_answer(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_pending_hub_ids uuid[] := array(select jsonb_array_elements_text(p_args -> 'pendingHubIds')::uuid);
  v_post app.posts;
begin
  select * into v_post from app.posts as p where p.id = (p_args ->> 'postId')::uuid;
  if v_pending_hub_ids <> '{}' then
    perform app.count_in_new_hubs(
      v_post.id, v_pending_hub_ids, array(select jsonb_array_elements_text(p_args -> 'pendingVoteKeys'))
    );
  end if;
  return jsonb_build_object(
    'postId', (p_args ->> 'postId')::uuid,
    'summary', app.vote_summary(app.pool_totals(v_post.id, app.displayed_hub(v_post, (p_args ->> 'hubId')::uuid)))
  );
end
$$;
comment on function api.cast_vote_answer(jsonb) is 'The answer to api.cast_vote, in a transaction of its own: counts the vote in Hubs into which the post was shared at the same time, and returns postId and the summary of the displayed scope. Takes the arguments of api.cast_vote and what it returned.';

revoke all on function api.cast_vote_answer(jsonb) from public;
grant execute on function api.cast_vote_answer(jsonb) to authenticated;
