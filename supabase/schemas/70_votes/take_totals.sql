create function app.take_totals(p_post_id uuid, p_hub_ids uuid[], p_keys text[])
returns setof app.pending_votes
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_key_ids bytea[] := app.key_ids(p_keys);
begin
  return query
  with taken as (
    delete from app.pending_totals as t
    where t.post_id = p_post_id and t.hub_id = any(p_hub_ids) and t.key_id = any(v_key_ids)
    returning *
  )
  select t.hub_id, t.cast_hour, jsonb_populate_record(null::app.position_counts, app.unseal(t.sealed, t.key_id, p_keys))
  from taken as t
  order by t.hub_id, t.cast_hour;
end
$$;
comment on function app.take_totals(uuid, uuid[], text[]) is 'Takes what is pending of a post in Hubs and p_keys open.';

revoke all on function app.take_totals(uuid, uuid[], text[]) from public;
