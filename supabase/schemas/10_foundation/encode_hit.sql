create function app.encode_hit(p_hit app.search_hit)
returns text
language sql
stable
security invoker
set search_path = ''
begin atomic
  select translate(
    encode(convert_to(jsonb_build_array(p_hit.tier, p_hit.key, p_hit.id)::text, 'UTF8'), 'base64'), E'+/=\n', '-_'
  );
end;
comment on function app.encode_hit(app.search_hit) is 'The opaque cursor of a search: what its page ends with.';

revoke all on function app.encode_hit(app.search_hit) from public;
grant execute on function app.encode_hit(app.search_hit) to anon, authenticated;
