create type app.list_entry as (at timestamptz, id uuid);
comment on type app.list_entry is 'An entry of a list in time order; its cursor encodes both fields.';

create type app.search_hit as (tier integer, key text, id uuid);
comment on type app.search_hit is
  'A search result: its tier (the lowest is the best match) and its order within the tier (key, then id).';

create table app.cursor_keys (
  is_singleton boolean primary key default true,
  key bytea not null default extensions.gen_random_bytes(32),
  constraint cursor_keys_is_singleton check (is_singleton)
);
comment on table app.cursor_keys is 'One row: the random key of this database that seals cursors.';
alter table app.cursor_keys enable row level security;

-- Names a list: what a cursor is good for.
--
-- p_args are the arguments of the operation. p_defaults are those of its parameters, so that a default that
-- is written out names the same list; an empty q is none. A cursor of a shared list is good for every caller,
-- of any other for this caller alone.
create function app.list_of(p_name text, p_args jsonb, p_defaults jsonb default '{}', p_is_shared boolean default false)
returns text
language plpgsql stable set search_path = '' as $$
declare
  v_claims jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
  v_empty text := case p_args ->> 'q' when '' then 'q' else '' end;
  v_parameters jsonb := p_args - '{cursor,limit,staffTokenHash}'::text[] - v_empty;
begin
  return jsonb_build_array(
    p_name,
    p_defaults || jsonb_strip_nulls(v_parameters),
    case when not p_is_shared then coalesce(v_claims ->> 'sub', v_claims ->> 'email') end
  )::text;
end
$$;
comment on function app.list_of is
  'Returns the name of a list with its parameters and its caller (docs/product.md W6).';
grant execute on function app.list_of to anon, authenticated;

-- Seals what the next page of a list comes after.
--
-- It holds times, ids and names, and cursors appear in URLs and access logs, so it is encrypted. The
-- initialization vector authenticates it and the list (as in RFC 5297), and equal pages have equal cursors. A
-- definer function, because callers may not read the key.
create function app.seal_cursor(p_list text, p_place jsonb) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_key bytea := (select k.key from app.cursor_keys as k);
  v_after bytea := convert_to(p_place::text, 'UTF8');
  v_iv bytea := substr(extensions.hmac(convert_to(p_list, 'UTF8') || v_after, v_key, 'sha256'), 1, 16);
begin
  return app.base64url(v_iv || extensions.encrypt_iv(v_after, sha256(v_key), v_iv, 'aes'));
end
$$;
comment on function app.seal_cursor is 'Returns a cursor of a list of app.list_of (docs/product.md W6).';
grant execute on function app.seal_cursor to anon, authenticated, staff_moderator;

-- Opens a cursor that app.seal_cursor sealed for the same list; returns null for null and for an empty text.
--
-- Base64 has several spellings of the same bytes, so compare the text too. The comparison of the vectors may
-- end early: another vector decrypts to other content, whose vector differs everywhere.
create function app.open_cursor(p_list text, p_cursor text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_key bytea := (select k.key from app.cursor_keys as k);
  v_base64 text := translate(p_cursor, '-_', '+/');
  v_sealed bytea;
  v_after bytea;
begin
  if coalesce(p_cursor, '') = '' then
    return null;
  elsif char_length(p_cursor) > 4000 then
    raise invalid_parameter_value;
  end if;
  v_sealed := decode(rpad(v_base64, (char_length(v_base64) + 3) / 4 * 4, '='), 'base64');
  v_after := extensions.decrypt_iv(substr(v_sealed, 17), sha256(v_key), substr(v_sealed, 1, 16), 'aes');
  if substr(v_sealed, 1, 16) <> substr(extensions.hmac(convert_to(p_list, 'UTF8') || v_after, v_key, 'sha256'), 1, 16)
    or app.base64url(v_sealed) <> p_cursor
  then
    raise invalid_parameter_value;
  end if;
  return convert_from(v_after, 'UTF8')::jsonb;
exception when data_exception or external_routine_invocation_exception then
  perform app.refuse_argument('{cursor}', 'invalid_cursor', 'Not a cursor of this list.');
end
$$;
comment on function app.open_cursor is 'Returns what a cursor of a list holds (docs/product.md W6).';
grant execute on function app.open_cursor to anon, authenticated;

create function app.base64url(p_bytes bytea) returns text language sql immutable
return rtrim(translate(encode(p_bytes, 'base64'), E'+/\n', '-_'), '=');
comment on function app.base64url is 'Returns bytes in the URL-safe alphabet of Base64, without padding (RFC 4648).';

-- An SQL body names no schema at run time, and the roles of staff may not use schema app.
create function app.encode_cursor(p_list text, p_at timestamptz, p_id uuid) returns text language sql stable
return case when p_id is not null then app.seal_cursor(p_list, jsonb_build_array(p_at, p_id)) end;
comment on function app.encode_cursor is 'Returns the cursor after an entry of a list in time order; null for null.';
grant execute on function app.encode_cursor to anon, authenticated, staff_moderator;

-- Returns where a page of a list in time order begins.
--
-- Without a cursor: the start of a list with the newest first, or with the oldest first.
create function app.decode_cursor(p_list text, p_cursor text, p_is_oldest_first boolean default false)
returns app.list_entry
language plpgsql stable set search_path = '' as $$
declare
  v_after jsonb := app.open_cursor(p_list, p_cursor);
begin
  if v_after is not null then
    return (v_after ->> 0, v_after ->> 1)::app.list_entry;
  elsif p_is_oldest_first then
    return ('-infinity', '00000000-0000-0000-0000-000000000000')::app.list_entry;
  end if;
  return ('infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::app.list_entry;
end
$$;
comment on function app.decode_cursor is 'Returns the entry that a page of a list in time order begins after.';
grant execute on function app.decode_cursor to anon, authenticated;

create function app.next_cursor(p_list text, p_entries app.list_entry[], p_limit integer) returns text
language plpgsql stable set search_path = '' as $$
begin
  if cardinality(p_entries) > p_limit then
    return app.encode_cursor(p_list, p_entries[p_limit].at, p_entries[p_limit].id);
  end if;
  return null;
end
$$;
comment on function app.next_cursor is 'Returns the cursor after p_limit of p_entries; null if there are no more.';
grant execute on function app.next_cursor to anon, authenticated;

create function app.encode_hit(p_list text, p_hits app.search_hit[], p_limit integer) returns text
language plpgsql stable set search_path = '' as $$
begin
  if cardinality(p_hits) > p_limit then
    return app.seal_cursor(p_list, jsonb_build_array(p_hits[p_limit].tier, p_hits[p_limit].key, p_hits[p_limit].id));
  end if;
  return null;
end
$$;
comment on function app.encode_hit is 'Returns the cursor after p_limit of p_hits; null if there are no more.';
grant execute on function app.encode_hit to anon, authenticated;

-- Returns the hit that a page of a search begins after: the start for null.
--
-- A cursor of the id alone would lose the key once that person is renamed or gone, and the next page would
-- skip or repeat others.
create function app.decode_hit(p_list text, p_cursor text) returns app.search_hit
language plpgsql stable set search_path = '' as $$
declare
  v_after jsonb := app.open_cursor(p_list, p_cursor);
begin
  if v_after is null then
    return (1, '', '00000000-0000-0000-0000-000000000000')::app.search_hit;
  end if;
  return (v_after ->> 0, v_after ->> 1, v_after ->> 2)::app.search_hit;
end
$$;
comment on function app.decode_hit is 'Returns the hit that a page of a search begins after.';
grant execute on function app.decode_hit to anon, authenticated;

create function app.first_id_within(p_interval interval) returns uuid
language plpgsql set search_path = '' as $$
begin
  return app.first_id_at(clock_timestamp() - p_interval);
end
$$;
comment on function app.first_id_within is
  'Returns a lower bound of the ids that app.uuid_v7 has created within p_interval.';
