create type app.list_entry as (at timestamptz, id uuid);
comment on type app.list_entry is 'An entry of a list in time order; its cursor encodes both fields.';

create type app.search_hit as (tier integer, key text, id uuid);
comment on type app.search_hit is 'A search result: its tier (the lowest is the best match) and its position within the tier (key, then id).';

create table app.cursor_keys (
  is_singleton boolean primary key default true,
  key bytea not null default extensions.gen_random_bytes(32),
  constraint cursor_keys_is_singleton check (is_singleton)
);
comment on table app.cursor_keys is 'One row: the random key of this database that encrypts search cursors (app.encode_hit). Cursors appear in URLs and access logs, and these hold names.';
alter table app.cursor_keys enable row level security;

create function app.encode_cursor(p_at timestamptz, p_id uuid) returns text
language plpgsql stable set search_path = '' as $$
begin
  return rtrim(translate(encode(int8send((extract(epoch from p_at) * 1000000)::bigint) || uuid_send(p_id), 'base64'), '+/', '-_'), '=');
end
$$;
comment on function app.encode_cursor is 'Returns the opaque cursor of a list in time order: the end of the page, to the microsecond.';
grant execute on function app.encode_cursor to anon, authenticated, staff_moderator;

create function app.decode_cursor(p_cursor text, out at timestamptz, out id uuid) returns record
language plpgsql stable set search_path = '' as $$
declare
  v_bytes bytea;
begin
  if p_cursor is null then
    at := 'infinity';
    id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    return;
  end if;
  if p_cursor !~ '^[A-Za-z0-9_-]{32}$' then
    perform app.refuse_cursor();
  end if;
  v_bytes := decode(translate(p_cursor, '-_', '+/'), 'base64');
  at := timestamptz 'epoch' + ((('x' || encode(substring(v_bytes from 1 for 8), 'hex'))::bit(64)::bigint
    % 10000000000000000) || ' microseconds')::interval;
  id := encode(substring(v_bytes from 9), 'hex')::uuid;
end
$$;
comment on function app.decode_cursor is 'Returns where a page begins: the content of a cursor by app.encode_cursor, or the start of a list with the newest first for null. Errors: VALIDATION_FAILED for anything else.';
grant execute on function app.decode_cursor to anon, authenticated;

create function app.encode_hit(p_hit app.search_hit) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_key bytea := (select k.key from app.cursor_keys as k);
  v_plain bytea := convert_to(jsonb_build_array(p_hit.tier, p_hit.key, p_hit.id)::text, 'UTF8');
  -- Derived from the content: it authenticates the content, and equal positions have equal cursors.
  v_iv bytea := substr(extensions.hmac(v_plain, v_key, 'sha256'), 1, 16);
begin
  return translate(encode(v_iv || extensions.encrypt_iv(v_plain, sha256(v_key), v_iv, 'aes'), 'base64'), E'+/=\n', '-_');
end
$$;
comment on function app.encode_hit is 'Returns the cursor after a search result. It carries the sort key, a name or username, encrypted with app.cursor_keys. A cursor of the id alone would lose the key once that person is renamed or gone, and the next page would skip or repeat others.';
grant execute on function app.encode_hit to anon, authenticated;

create function app.decode_hit(p_cursor text) returns app.search_hit
language plpgsql stable security definer set search_path = '' as $$
declare
  v_key bytea := (select k.key from app.cursor_keys as k);
  v_base64 text := translate(p_cursor, '-_', '+/');
  v_sealed bytea;
  v_plain bytea;
  v_parts jsonb;
begin
  if p_cursor is null then
    return (1, ''::text, '00000000-0000-0000-0000-000000000000'::uuid)::app.search_hit;
  end if;
  if char_length(p_cursor) > 4000 then
    raise invalid_parameter_value;
  end if;
  v_sealed := decode(rpad(v_base64, (char_length(v_base64) + 3) / 4 * 4, '='), 'base64');
  v_plain := extensions.decrypt_iv(substr(v_sealed, 17), sha256(v_key), substr(v_sealed, 1, 16), 'aes');
  if substr(v_sealed, 1, 16) <> substr(extensions.hmac(v_plain, v_key, 'sha256'), 1, 16) then
    raise invalid_parameter_value;
  end if;
  v_parts := convert_from(v_plain, 'UTF8')::jsonb;
  return ((v_parts ->> 0)::integer, v_parts ->> 1, (v_parts ->> 2)::uuid)::app.search_hit;
exception when data_exception or external_routine_invocation_exception then
  perform app.refuse_cursor();
end
$$;
comment on function app.decode_hit is 'Returns the search result that a page begins after: the content of a cursor by app.encode_hit, or the start for null. Errors: VALIDATION_FAILED for anything else.';
grant execute on function app.decode_hit to anon, authenticated;

create function app.refuse_cursor() returns void
language plpgsql stable set search_path = '' as $$
begin
  perform app.refuse_argument('{cursor}', 'invalid_cursor', 'Not a cursor of this list.');
end
$$;
comment on function app.refuse_cursor is 'Raises VALIDATION_FAILED for a cursor that this list did not issue.';
grant execute on function app.refuse_cursor to anon, authenticated;

create function app.first_entry(p_cursor text) returns app.list_entry
language plpgsql stable set search_path = '' as $$
begin
  if p_cursor is null then
    return ('-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)::app.list_entry;
  end if;
  return (select (c.at, c.id)::app.list_entry from app.decode_cursor(p_cursor) as c);
end
$$;
comment on function app.first_entry is 'Returns the entry that a page begins after in a list with the oldest first: the content of a cursor by app.encode_cursor, or the start for null. Errors: VALIDATION_FAILED for anything else.';
grant execute on function app.first_entry to anon, authenticated;

create function app.next_cursor(p_entries app.list_entry[], p_limit integer) returns text
language plpgsql stable set search_path = '' as $$
begin
  return case when cardinality(p_entries) > p_limit then app.encode_cursor(p_entries[p_limit].at, p_entries[p_limit].id) end;
end
$$;
comment on function app.next_cursor is 'Returns the cursor after p_limit entries; null if there are no more. Args: p_entries (one more than p_limit was looked up), p_limit.';
grant execute on function app.next_cursor to anon, authenticated;

create function app.first_id_within(p_interval interval) returns uuid
language plpgsql set search_path = '' as $$
begin
  return rpad(lpad(to_hex(floor(extract(epoch from clock_timestamp() - p_interval) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
end
$$;
comment on function app.first_id_within is 'Returns a lower bound of the ids that app.uuid_v7 has created within p_interval.';
