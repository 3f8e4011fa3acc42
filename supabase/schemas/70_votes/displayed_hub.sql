create function app.displayed_hub(p_post app.posts, p_hub_id uuid)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if p_hub_id is not null or p_post.visibility <> 'private_locked_hub' or app.user_id() is null then
    return p_hub_id;
  end if;
  return (select t.hub_id from app.placements as t where t.post_id = p_post.id order by t.placed_at, t.hub_id limit 1);
end
$$;
comment on function app.displayed_hub(app.posts, uuid) is 'In which Hub''s scope the votes on a post are shown to the caller, null for the global one: that of p_hub_id where they asked for one (app.require_scope); of a private post that of its first Hub of theirs (contract.md 7, "Displayed scope").';

revoke all on function app.displayed_hub(app.posts, uuid) from public;
grant execute on function app.displayed_hub(app.posts, uuid) to anon, authenticated;
