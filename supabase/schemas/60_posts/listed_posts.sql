create function app.listed_posts(p_post_ids uuid[], p_contexts text[] default null, p_hub_id uuid default null)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(
      case when p_contexts is null then c.card else c.card || jsonb_build_object('feedContext', p_contexts[listed.place]) end
      order by listed.place
    ), '[]')
    from unnest(p_post_ids) with ordinality as listed (id, place)
    join app.post_cards(p_post_ids, p_hub_id) as c on c.post_id = listed.id
  );
end
$$;
comment on function app.listed_posts(uuid[], text[], uuid) is 'The cards of posts in their order, each with its feedContext where contexts are given, and with the votes of a Hub where one is; without those that the caller may not see.';

revoke all on function app.listed_posts(uuid[], text[], uuid) from public;
grant execute on function app.listed_posts(uuid[], text[], uuid) to anon, authenticated;
