create function app.post_detail(p_post_id uuid, p_hub_id uuid default null)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_card jsonb := (select c.card from app.post_cards(array[p_post_id], p_hub_id) as c);
  v_level integer := app.level_of(app.user_id());
  v_is_public boolean := v_card ->> 'visibility' <> 'private_locked_hub';
begin
  if v_card is null then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return v_card || jsonb_build_object('permissions', jsonb_build_object(
    'canVote', v_level >= case when v_is_public then 2 else 4 end and (v_is_public or v_card -> 'hubs' <> '[]')
      and coalesce(v_card -> 'viewerVote' -> 'hasVoted' = 'false', false),
    'canComment', v_level >= 2 and v_is_public,
    'canRepost', v_level >= case when v_is_public then 3 else 4 end and app.may_repost(p_post_id),
    'canShareToFeed', v_level >= 2,
    'canShareToHubs', v_level >= 4 and v_card -> 'isShareable' = 'true',
    'canDelete', coalesce(v_card -> 'author' ->> 'id' = app.user_id()::text, false)
  ));
end
$$;
comment on function app.post_detail(uuid, uuid) is 'The detail of a post that the caller may see: its card, with the votes of a Hub where p_hub_id is one, and permissions (contract.md 7). Raises POST_NOT_FOUND.';

revoke all on function app.post_detail(uuid, uuid) from public;
grant execute on function app.post_detail(uuid, uuid) to anon, authenticated;
