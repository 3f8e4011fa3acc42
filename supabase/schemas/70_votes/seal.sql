create function app.seal(p_text text, p_key text)
returns bytea
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- The key is random: there is nothing in it to be stretched.
  return extensions.pgp_sym_encrypt(p_text, p_key, 's2k-mode=1, cipher-algo=aes256');
end
$$;
comment on function app.seal(text, text) is 'Encrypts by a key that the database does not have (AES-256, with a check of integrity); another ciphertext each time.';

revoke all on function app.seal(text, text) from public;
