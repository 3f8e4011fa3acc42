create function app.may_place(p_post_id uuid, p_kind app.placement_kind)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return exists (
    select from app.posts as p
    where p.id = p_post_id and case p_kind
      when 'targeted' then p.author_id = app.user_id() and not exists (select from app.placements as t where t.post_id = p.id)
      else p.is_shareable
    end
  );
end
$$;
comment on function app.may_place(uuid, app.placement_kind) is 'Whether the caller may place a post in a Hub: their own as its targets, all at once, any that they see and that is shareable as a share. For the policy of placements, which cannot ask the table of posts, as that one''s policy asks it.';

revoke all on function app.may_place(uuid, app.placement_kind) from public;
grant execute on function app.may_place(uuid, app.placement_kind) to authenticated;
