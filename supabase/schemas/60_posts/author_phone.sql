create function app.author_phone(p_post_id uuid)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_phone text;
begin
  select u.phone into v_phone
  from app.posts as p
  join app.placements as target on target.post_id = p.id
  join app.memberships as mine on mine.hub_id = target.hub_id and mine.user_id = app.user_id()
  join app.memberships as theirs on theirs.hub_id = target.hub_id and theirs.user_id = p.author_id
  join app.users as u on u.id = p.author_id
  where p.id = p_post_id and not p.is_shareable;
  return case when v_phone is not null then jsonb_build_object('authorPhoneNumber', v_phone) else '{}' end;
end
$$;
comment on function app.author_phone(uuid) is 'authorPhoneNumber of a card, to be added to it (spec.md "Privacy rules"): of a post that is in one Hub and can be shared nowhere, for those who are in that Hub, while its author is. No policy shows phones.';

revoke all on function app.author_phone(uuid) from public;
grant execute on function app.author_phone(uuid) to anon, authenticated;
