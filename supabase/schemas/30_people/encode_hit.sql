create function app.encode_hit(p_hit app.person_hit)
returns text
language sql
immutable
security invoker
set search_path = ''
begin atomic
  select translate(
    encode(convert_to(jsonb_build_array(p_hit.tier, p_hit.key, p_hit.user_id)::text, 'UTF8'), 'base64'), E'+/=\n', '-_'
  );
end;
comment on function app.encode_hit(app.person_hit) is 'The opaque cursor of a search: the last person of its page.';

revoke all on function app.encode_hit(app.person_hit) from public;
grant execute on function app.encode_hit(app.person_hit) to anon, authenticated;
