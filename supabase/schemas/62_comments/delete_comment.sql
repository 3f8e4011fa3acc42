create function api.delete_comment(p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_comment_id uuid := p_args ->> 'commentId';
begin
  perform app.require_level(1);
  if not exists (select from app.comments as c where c.id = v_comment_id and c.author_id is not null) then
    raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
  end if;
  perform app.remove_comment(v_comment_id);
  return '{}';
end
$$;
comment on function api.delete_comment(jsonb) is 'DELETE /comments/{commentId} (spec.md F, contract.md 7). Takes commentId; answers {}. Raises UNAUTHORIZED; COMMENT_NOT_FOUND; FORBIDDEN for anyone but its author and the author of the post.';

revoke all on function api.delete_comment(jsonb) from public;
grant execute on function api.delete_comment(jsonb) to authenticated;
