-- Args: p_path (names that lead to the argument), p_code (for programs), p_message (for people). Errors:
-- always VALIDATION_FAILED, with this one issue.
create function app.refuse_argument(p_path text[], p_code text, p_message text) returns void
language plpgsql stable set search_path = '' as $$
begin
  raise exception using errcode = 'PT422', message = 'VALIDATION_FAILED', detail = jsonb_build_object(
    'issues', jsonb_build_array(jsonb_build_object('path', p_path, 'code', p_code, 'message', p_message))
  )::text;
end
$$;
comment on function app.refuse_argument is 'Refuses an argument of an operation.';
grant execute on function app.refuse_argument to anon, authenticated;

-- Args: p_args, p_name, p_type (JSON type: string, number, boolean, array or object), p_within (the argument
-- that holds p_args, for the path of an error). Returns the JSON value; null if it is missing or null.
-- Errors: VALIDATION_FAILED for another type.
create function app.argument(p_args jsonb, p_name text, p_type text, p_within text default null) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_value jsonb := p_args -> p_name;
  v_type text := jsonb_typeof(v_value);
begin
  if v_type = p_type then
    return v_value;
  end if;
  if v_type <> 'null' then
    perform app.refuse_argument(
      array_remove(array[p_within, p_name], null),
      'invalid_type', format('Must be of the JSON type %s.', p_type)
    );
  end if;
  return null;
end
$$;
comment on function app.argument is 'Reads an argument of an operation.';
grant execute on function app.argument to anon, authenticated;

-- Reads a text of an operation.
--
-- p_min and p_max count characters. A non-empty text needs a visible character, and no run of combining
-- marks, which would hold the database when it is normalized. The column of a stored text has its own limits;
-- the defaults here bound what reaches the table.
create function app.text_argument(
  p_args jsonb, p_name text, p_min integer default 0, p_max integer default 10000, p_within text default null
) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_text text := p_args ->> p_name;
  v_path text[];
begin
  if v_text is null or (
    char_length(v_text) between p_min and p_max and jsonb_typeof(p_args -> p_name) = 'string'
    and (v_text = '' or app.has_visible_character(v_text)) and not app.has_too_many_marks(v_text)
  ) then
    return v_text;
  end if;
  perform app.argument(p_args, p_name, 'string', p_within);
  v_path := array_remove(array[p_within, p_name], null);
  if char_length(v_text) > p_max then
    perform app.refuse_argument(v_path, 'too_big', format('Must have at most %s characters.', p_max));
  elsif char_length(v_text) < p_min then
    perform app.refuse_argument(v_path, 'too_small', format('Must have at least %s characters.', p_min));
  end if;
  if app.has_too_many_marks(v_text) then
    perform app.refuse_argument(v_path, 'too_many_marks', 'Must not have more than 30 combining marks in a row.');
  end if;
  perform app.refuse_argument(v_path, 'invisible', 'Must have a visible character.');
  return null;
end
$$;
comment on function app.text_argument is
  'Reads a text of p_min to p_max characters; null if it is missing or null (docs/product.md W24, W25).';
grant execute on function app.text_argument to anon, authenticated;

-- Args: as app.argument. Returns the name; null if it is missing or null. Errors: VALIDATION_FAILED for a
-- name that is not plain (app.is_plain_name).
create function app.name_argument(p_args jsonb, p_name text) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_text text := app.text_argument(p_args, p_name);
begin
  -- Check before the table does, because a violated constraint would log the row.
  if not app.is_plain_name(v_text) then
    perform app.refuse_argument(
      array[p_name], 'not_plain', 'Must be one line with a visible character and without control characters.'
    );
  end if;
  return v_text;
end
$$;
comment on function app.name_argument is 'Reads the name of a person, a Hub or a file.';
grant execute on function app.name_argument to authenticated;

-- Args: as app.argument. Returns the number; null if it is missing or null. Errors: VALIDATION_FAILED.
create function app.integer_argument(p_args jsonb, p_name text, p_min integer, p_max integer) returns integer
language plpgsql stable set search_path = '' as $$
declare
  v_number numeric;
begin
  if p_args ->> p_name is null then
    return null;
  end if;
  v_number := app.argument(p_args, p_name, 'number')::numeric;
  if v_number not between p_min and p_max then
    perform app.refuse_argument(array[p_name], 'out_of_range', format('Must be from %s to %s.', p_min, p_max));
  elsif v_number <> trunc(v_number) then
    perform app.refuse_argument(array[p_name], 'invalid_type', 'Must be a whole number.');
  end if;
  return v_number::integer;
end
$$;
comment on function app.integer_argument is 'Reads a whole number from p_min to p_max.';
grant execute on function app.integer_argument to anon, authenticated;

-- Args: as app.argument. Returns the choice; null if it is missing or null. Errors: VALIDATION_FAILED.
create function app.choice_argument(p_args jsonb, p_name text, variadic p_choices text[]) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_choice text := p_args ->> p_name;
begin
  if v_choice <> all (p_choices) then
    perform app.refuse_argument(
      array[p_name], 'invalid_value', format('Must be one of: %s.', array_to_string(p_choices, ', '))
    );
  end if;
  return v_choice;
end
$$;
comment on function app.choice_argument is 'Reads one of p_choices.';
grant execute on function app.choice_argument to anon, authenticated;

-- Args: as app.argument. Returns the JSON array; an empty one if it is missing or null. Errors:
-- VALIDATION_FAILED.
create function app.items_argument(p_args jsonb, p_name text, p_min integer, p_max integer, p_within text default null)
returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_items jsonb := coalesce(app.argument(p_args, p_name, 'array', p_within), '[]');
begin
  if jsonb_array_length(v_items) not between p_min and p_max then
    perform app.refuse_argument(
      array_remove(array[p_within, p_name], null),
      'out_of_range', format('Must have %s to %s entries.', p_min, p_max)
    );
  end if;
  return v_items;
end
$$;
comment on function app.items_argument is 'Reads an array of p_min to p_max items.';
grant execute on function app.items_argument to anon, authenticated;

-- Args: as app.argument. Returns the ids in their order; an empty array if it is missing or null. Errors:
-- VALIDATION_FAILED.
create function app.ids_argument(p_args jsonb, p_name text, p_min integer, p_max integer, p_within text default null)
returns uuid[]
language plpgsql stable set search_path = '' as $$
declare
  v_items jsonb := app.items_argument(p_args, p_name, p_min, p_max, p_within);
  v_path text[] := array_remove(array[p_within, p_name], null);
  v_ids uuid[];
begin
  if exists (
    select from jsonb_array_elements_text(v_items) as item (id) where not pg_input_is_valid(item.id, 'uuid')
  ) then
    perform app.refuse_argument(v_path, 'invalid_format', 'Must be ids (UUIDs).');
  end if;
  v_ids := array(
    select item.id::uuid from jsonb_array_elements_text(v_items) with ordinality as item (id, place) order by item.place
  );
  if cardinality(v_ids) <> (select count(distinct given.id) from unnest(v_ids) as given (id)) then
    perform app.refuse_argument(v_path, 'not_distinct', 'Must not name anything twice.');
  end if;
  return v_ids;
end
$$;
comment on function app.ids_argument is 'Reads an array of p_min to p_max distinct ids.';
grant execute on function app.ids_argument to anon, authenticated;

-- Args: p_args, p_names. Errors: VALIDATION_FAILED for the first that is missing or null.
create function app.require_arguments(p_args jsonb, variadic p_names text[]) returns void
language plpgsql stable set search_path = '' as $$
declare
  v_name text;
begin
  foreach v_name in array p_names loop
    if coalesce(p_args -> v_name, 'null') = 'null' then
      perform app.refuse_argument(array[v_name], 'required', 'This is missing.');
    end if;
  end loop;
end
$$;
comment on function app.require_arguments is 'Requires arguments of an operation.';
grant execute on function app.require_arguments to anon, authenticated;

-- Args: p_args, p_names. Errors: VALIDATION_FAILED.
create function app.require_any_argument(p_args jsonb, variadic p_names text[]) returns void
language plpgsql stable set search_path = '' as $$
begin
  if not p_args ?| p_names then
    perform app.refuse_argument(
      '{}', 'required', format('One of these is missing: %s.', array_to_string(p_names, ', '))
    );
  end if;
end
$$;
comment on function app.require_any_argument is 'Requires at least one argument of an operation, null or not.';
grant execute on function app.require_any_argument to authenticated;

-- Errors: VALIDATION_FAILED outside 1 to p_max.
create function app.page_size(p_args jsonb, p_default integer, p_max integer) returns integer
language plpgsql stable set search_path = '' as $$
begin
  return coalesce(app.integer_argument(p_args, 'limit', 1, p_max), p_default);
end
$$;
comment on function app.page_size is 'Returns the number of items of a page: the caller''s limit, else p_default.';
grant execute on function app.page_size to anon, authenticated;

create function app.has_visible_character(p_text text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  -- Excludes white space, controls, format characters, combining marks, characters that fonts may omit, blank
  -- letters, private-use characters and noncharacters.
  return p_text ~ (
    '[^\u0001-\u0020\u007f-\u00a0\u00ad\u0300-\u036f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160'
    '\u1680\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u200f\u2028-\u202f\u205f-\u206f\u20d0-\u20ff'
    '\u2800\u3000\u3164\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff'
    '\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
    '\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe-\U000e0fff\U000efffe-\U0010ffff]'
  );
end
$$;
comment on function app.has_visible_character is
  'Returns whether a text holds a character that a person can see; null for null.';
grant execute on function app.has_visible_character to anon, authenticated;

create function app.is_plain_name(p_name text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  -- Control characters, line ends and bidirectional controls.
  return p_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]' and app.has_visible_character(p_name);
end
$$;
comment on function app.is_plain_name is
  'Returns whether a name is one visible line that does not affect the text beside it; null for null.';
grant execute on function app.is_plain_name to authenticated;

create function app.end_of_prefix(p_prefix text) returns text
language sql immutable set search_path = ''
begin atomic
  select p_prefix || chr(1114111);
end;
comment on function app.end_of_prefix is
  'Returns the end of an index range for a prefix: a text that sorts, in byte order, after every text that begins with '
  'p_prefix.';
grant execute on function app.end_of_prefix to authenticated;

-- Raises the 404 p_code instead of null.
create function app.found(p_answer jsonb, p_code text) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  if p_answer is null then
    raise exception using errcode = 'PT404', message = p_code;
  end if;
  return p_answer;
end
$$;
comment on function app.found is 'Returns p_answer.';
grant execute on function app.found to authenticated;
