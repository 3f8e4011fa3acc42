create function app.add_to_pending(p_post_id uuid, p_hub_id uuid, p_cast_hour timestamptz, p_counts app.position_counts, p_key text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_key_id bytea := app.key_id(p_key);
  v_counts app.position_counts := p_counts;
  v_former app.position_counts;
begin
  select (jsonb_populate_record(null::app.position_counts, app.unseal(t.sealed, t.key_id, array[p_key]))).*
  into v_former
  from app.pending_totals as t
  where t.post_id = p_post_id and t.hub_id = p_hub_id and t.cast_hour = p_cast_hour and t.key_id = v_key_id;
  if found then
    v_counts := (
      v_former.strong_left_count + p_counts.strong_left_count,
      v_former.left_count + p_counts.left_count,
      v_former.neutral_count + p_counts.neutral_count,
      v_former.right_count + p_counts.right_count,
      v_former.strong_right_count + p_counts.strong_right_count
    );
  end if;
  insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
  -- The length is not to tell how many they are.
  values (p_post_id, p_hub_id, p_cast_hour, v_key_id, app.seal(rpad(to_jsonb(v_counts)::text, 200), p_key))
  on conflict (post_id, hub_id, cast_hour, key_id) do update set sealed = excluded.sealed;
end
$$;
comment on function app.add_to_pending(uuid, uuid, timestamptz, app.position_counts, text) is 'Adds votes of an hour to what is pending of a post in a Hub, sealed by p_key; what another key sealed stays beside it. For whoever holds the post.';

revoke all on function app.add_to_pending(uuid, uuid, timestamptz, app.position_counts, text) from public;
