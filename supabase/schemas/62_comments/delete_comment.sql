create function api.delete_comment(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  perform app.remove_comment(app.require_comment((p_args ->> 'commentId')::uuid));
  return '{}'::jsonb;
end
$$;
comment on function api.delete_comment(jsonb) is 'DELETE /comments/{commentId} (spec.md F, contract.md 7). Takes commentId; answers {}. Raises UNAUTHORIZED; COMMENT_NOT_FOUND; FORBIDDEN for anyone but its author and the author of the post.';

revoke all on function api.delete_comment(jsonb) from public;
grant execute on function api.delete_comment(jsonb) to authenticated;
