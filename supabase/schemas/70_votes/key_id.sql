create function app.key_id(p_key text)
returns bytea
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return substr(sha256(p_key::bytea), 1, 8);
end
$$;
comment on function app.key_id(text) is 'What a key is known by where something is sealed by it.';

revoke all on function app.key_id(text) from public;
