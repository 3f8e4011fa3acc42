create function app.may_repost(p_post_id uuid)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return exists (select from app.posts as p where p.id = p_post_id and p.source_post_id is null and p.is_shareable);
end
$$;
comment on function app.may_repost(uuid) is 'Whether the caller sees a post that can be reposted (spec.md "Post content rules"): no repost, and shareable. For the policy of posts as well, which cannot ask its own table.';

revoke all on function app.may_repost(uuid) from public;
grant execute on function app.may_repost(uuid) to anon, authenticated;
