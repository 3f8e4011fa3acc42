create function app.key_ids(p_keys text[])
returns bytea[]
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return array(select app.key_id(key.text) from unnest(p_keys) as key (text));
end
$$;
comment on function app.key_ids(text[]) is 'What each of some keys is known by.';

revoke all on function app.key_ids(text[]) from public;
