create function app.encode_hit(p_hit app.search_hit)
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_key bytea := (select k.key from app.cursor_keys as k);
  v_plain bytea := convert_to(jsonb_build_array(p_hit.tier, p_hit.key, p_hit.id)::text, 'UTF8');
  -- Made of the content, so that it proves the content, and the same place has the same cursor.
  v_iv bytea := substr(extensions.hmac(v_plain, v_key, 'sha256'), 1, 16);
begin
  return translate(encode(v_iv || extensions.encrypt_iv(v_plain, sha256(v_key), v_iv, 'aes'), 'base64'), E'+/=\n', '-_');
end
$$;
comment on function app.encode_hit(app.search_hit) is 'The cursor behind a search result. It carries the sort key, a name or username, encrypted with app.cursor_keys: looked up again by id, the key would be lost once that person is renamed or gone, and the next page would skip or repeat others.';

revoke all on function app.encode_hit(app.search_hit) from public;
grant execute on function app.encode_hit(app.search_hit) to anon, authenticated;
