create function app.unseal(p_sealed bytea, p_key_id bytea, p_keys text[])
returns jsonb
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return (
    select extensions.pgp_sym_decrypt(p_sealed, key.text)::jsonb
    from unnest(p_keys) as key (text)
    where app.key_id(key.text) = p_key_id
    limit 1
  );
end
$$;
comment on function app.unseal(bytea, bytea, text[]) is 'What app.seal sealed by the one of p_keys that has p_key_id, as JSON; null where none has.';

revoke all on function app.unseal(bytea, bytea, text[]) from public;
