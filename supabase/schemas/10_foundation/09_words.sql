-- Returns the non-spacing and enclosing marks (categories Mn and Me of Unicode 17), as ranges for a bracket
-- expression.
--
-- Unassigned code points between two marks count as marks. tests/db/words.test.ts compares the list with that
-- of Node.
create function app.marks() returns text language sql immutable
  return '\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
    '\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd'
    '\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u0902\u093a'
    '\u093c\u0941-\u0948\u094d\u0951-\u0957\u0962-\u0963\u0981\u09bc\u09c1-\u09c4\u09cd\u09e2-\u09e3\u09fe-\u0a02'
    '\u0a3c\u0a41-\u0a51\u0a70-\u0a71\u0a75\u0a81-\u0a82\u0abc\u0ac1-\u0ac8\u0acd\u0ae2-\u0ae3\u0afa-\u0b01\u0b3c'
    '\u0b3f\u0b41-\u0b44\u0b4d-\u0b56\u0b62-\u0b63\u0b82\u0bc0\u0bcd\u0c00\u0c04\u0c3c\u0c3e-\u0c40\u0c46-\u0c56'
    '\u0c62-\u0c63\u0c81\u0cbc\u0cbf\u0cc6\u0ccc-\u0ccd\u0ce2-\u0ce3\u0d00-\u0d01\u0d3b-\u0d3c\u0d41-\u0d44\u0d4d'
    '\u0d62-\u0d63\u0d81\u0dca\u0dd2-\u0dd6\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece'
    '\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f7e\u0f80-\u0f84\u0f86-\u0f87\u0f8d-\u0fbc\u0fc6\u102d-\u1030'
    '\u1032-\u1037\u1039-\u103a\u103d-\u103e\u1058-\u1059\u105e-\u1060\u1071-\u1074\u1082\u1085-\u1086\u108d\u109d'
    '\u135d-\u135f\u1712-\u1714\u1732-\u1733\u1752-\u1753\u1772-\u1773\u17b4-\u17b5\u17b7-\u17bd\u17c6\u17c9-\u17d3'
    '\u17dd\u180b-\u180d\u180f\u1885-\u1886\u18a9\u1920-\u1922\u1927-\u1928\u1932\u1939-\u193b\u1a17-\u1a18\u1a1b'
    '\u1a56\u1a58-\u1a60\u1a62\u1a65-\u1a6c\u1a73-\u1a7f\u1ab0-\u1b03\u1b34\u1b36-\u1b3a\u1b3c\u1b42\u1b6b-\u1b73'
    '\u1b80-\u1b81\u1ba2-\u1ba5\u1ba8-\u1ba9\u1bab-\u1bad\u1be6\u1be8-\u1be9\u1bed\u1bef-\u1bf1\u1c2c-\u1c33'
    '\u1c36-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0'
    '\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302d\u3099-\u309a\ua66f-\ua672\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1'
    '\ua802\ua806\ua80b\ua825-\ua826\ua82c\ua8c4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua951\ua980-\ua982'
    '\ua9b3\ua9b6-\ua9b9\ua9bc-\ua9bd\ua9e5\uaa29-\uaa2e\uaa31-\uaa32\uaa35-\uaa36\uaa43\uaa4c\uaa7c\uaab0'
    '\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaec-\uaaed\uaaf6\uabe5\uabe8\uabed\ufb1e\ufe00-\ufe0f'
    '\ufe20-\ufe2f\U000101fd\U000102e0\U00010376-\U0001037a\U00010a01-\U00010a0f\U00010a38-\U00010a3f'
    '\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab-\U00010eac\U00010efa-\U00010eff'
    '\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011001\U00011038-\U00011046\U00011070\U00011073-\U00011074'
    '\U0001107f-\U00011081\U000110b3-\U000110b6\U000110b9-\U000110ba\U000110c2\U00011100-\U00011102'
    '\U00011127-\U0001112b\U0001112d-\U00011134\U00011173\U00011180-\U00011181\U000111b6-\U000111be'
    '\U000111c9-\U000111cc\U000111cf\U0001122f-\U00011231\U00011234\U00011236-\U00011237\U0001123e\U00011241'
    '\U000112df\U000112e3-\U000112ea\U00011300-\U00011301\U0001133b-\U0001133c\U00011340\U00011366-\U00011374'
    '\U000113bb-\U000113c0\U000113ce\U000113d0\U000113d2\U000113e1-\U000113e2\U00011438-\U0001143f'
    '\U00011442-\U00011444\U00011446\U0001145e\U000114b3-\U000114b8\U000114ba\U000114bf-\U000114c0'
    '\U000114c2-\U000114c3\U000115b2-\U000115b5\U000115bc-\U000115bd\U000115bf-\U000115c0\U000115dc-\U000115dd'
    '\U00011633-\U0001163a\U0001163d\U0001163f-\U00011640\U000116ab\U000116ad\U000116b0-\U000116b5\U000116b7'
    '\U0001171d\U0001171f\U00011722-\U00011725\U00011727-\U0001172b\U0001182f-\U00011837\U00011839-\U0001183a'
    '\U0001193b-\U0001193c\U0001193e\U00011943\U000119d4-\U000119db\U000119e0\U00011a01-\U00011a0a'
    '\U00011a33-\U00011a38\U00011a3b-\U00011a3e\U00011a47\U00011a51-\U00011a56\U00011a59-\U00011a5b'
    '\U00011a8a-\U00011a96\U00011a98-\U00011a99\U00011b60\U00011b62-\U00011b64\U00011b66\U00011c30-\U00011c3d'
    '\U00011c3f\U00011c92-\U00011ca7\U00011caa-\U00011cb0\U00011cb2-\U00011cb3\U00011cb5-\U00011cb6'
    '\U00011d31-\U00011d45\U00011d47\U00011d90-\U00011d91\U00011d95\U00011d97\U00011ef3-\U00011ef4'
    '\U00011f00-\U00011f01\U00011f36-\U00011f3a\U00011f40\U00011f42\U00011f5a\U00013440\U00013447-\U00013455'
    '\U0001611e-\U00016129\U0001612d-\U0001612f\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016f4f'
    '\U00016f8f-\U00016f92\U00016fe4\U0001bc9d-\U0001bc9e\U0001cf00-\U0001cf46\U0001d167-\U0001d169'
    '\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001da00-\U0001da36'
    '\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-\U0001daaf\U0001e000-\U0001e02a\U0001e08f'
    '\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee-\U0001e5ef\U0001e6e3'
    '\U0001e6e6\U0001e6ee-\U0001e6ef\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a\U000e0100-\U000e01ef'
;
comment on function app.marks is 'Returns the ranges of the marks of Unicode, for regular expressions.';
grant execute on function app.marks to anon, authenticated;

-- Returns whether a text has more than 30 marks in a row after normalization: what no script writes (UAX 15,
-- stream-safe).
--
-- Postgres sorts the marks of a character in quadratic time, so a text with many of them is not normalized
-- here at all.
create function app.has_too_many_marks(p_text text) returns boolean
language plpgsql immutable set search_path = '' as $$
declare
  v_run text := '[' || app.marks() || ']{31}';
begin
  if octet_length(p_text) = char_length(p_text) then
    return false;
  elsif p_text ~ v_run then
    return true;
  end if;
  return normalize(p_text, nfd) ~ v_run;
end
$$;
comment on function app.has_too_many_marks is
  'Returns whether a text has more than 30 combining marks in a row (docs/product.md W24).';
grant execute on function app.has_too_many_marks to anon, authenticated;

-- Folds what searches do not distinguish: case, compatibility forms, optional marks, apostrophes, format
-- characters.
--
-- Optional are the accents of Latin, Greek and Cyrillic, Arabic harakat, hamza forms and tatweel, Hebrew
-- points and the nukta of Indic scripts; other marks are part of their letters. A symbol that stands for
-- letters or digits (™, №, ①, ½) is a space, because it is none itself. The collation is the same on every
-- platform. The cut bounds the characters that stand for many, and bounds every later step.
create function app.folded(p_text text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_text text := p_text;
begin
  if octet_length(p_text) = char_length(p_text) then
    return lower(p_text collate pg_catalog.pg_c_utf8);
  end if;
  v_text := regexp_replace(
    v_text,
    '[\u00ad\u0600-\u0605\u061c\u0640\u06dd\u070f\u0890\u0891\u08e2\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f'
    '\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3'
    '\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+',
    '', 'g'
  );
  v_text := regexp_replace(
    v_text,
    '[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070\u2074-\u2079\u2080-\u2089\u20a8\u2100\u2101\u2103-\u2106\u2109\u2116'
    '\u2120-\u2122\u213b\u2150-\u215f\u2189\u2460-\u24ea\u3192-\u319f\u3200-\u3247\u3250-\u33ff\ufdfc'
    '\U0001ccd6-\U0001ccef\U0001f100-\U0001f10a\U0001f110-\U0001f251]+',
    ' ', 'g'
  );
  v_text := regexp_replace(
    left(normalize(v_text, nfkd), 20000),
    '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
    '\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed'
    '\u08d3-\u08e1\u08e3-\u08ff\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc\u1ab0-\u1aff\u1dc0-\u1dff'
    '\u20d0-\u20ff\ufe20-\ufe2f]+',
    '', 'g'
  );
  v_text := lower(normalize(v_text, nfc) collate pg_catalog.pg_c_utf8);
  v_text := translate(v_text, '‘’ʼ՚׳łøđðħıŧςٱ', '''''''''''loddhitσا');
  return replace(replace(replace(replace(v_text, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
end
$$;
comment on function app.folded is
  'Returns a text as searches compare it, without case and optional marks (docs/product.md W29).';
grant execute on function app.folded to anon, authenticated;

-- Returns the scripts that are written without spaces, each as ranges for a bracket expression.
--
-- Han, Hiragana and Katakana stand first. Marks and signs that two of them share count as Katakana. Digits
-- are left out.
create function app.spaceless_scripts() returns text[] language sql immutable
return array[
  '\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufad9\U00016ff0-\U00016ff6'
  '\U00020000-\U00033479',
  '\u3041-\u3096\u309d-\u309f\U0001b001-\U0001b11f\U0001b132-\U0001b152',
  '\u3031-\u3035\u303c\u3099\u309a\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001aff0-\U0001b000\U0001b120-\U0001b122'
  '\U0001b155-\U0001b167',
  '\u1100-\u11ff\u302e\u302f\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb',
  '\u0e01-\u0e3a\u0e40-\u0e4e',
  '\u0e81-\u0ecf\u0edc-\u0edf',
  '\u1780-\u17d3\u17d7\u17dc\u17dd',
  '\u1000-\u103f\u104e\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f'
];
comment on function app.spaceless_scripts is
  'Returns the ranges of Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer and Myanmar.';
grant execute on function app.spaceless_scripts to anon, authenticated;

-- Returns the pattern of a run in a script without spaces. Japanese mixes its three scripts within words, so
-- they form one run.
create function app.runs_of_scripts() returns text
language plpgsql immutable set search_path = '' as $$
declare
  c_of constant text[] := app.spaceless_scripts();
begin
  return '[' || c_of[1] || c_of[2] || c_of[3] || ']+|[' || c_of[4] || ']+|[' || c_of[5] || ']+|[' || c_of[6] || ']+|['
    || c_of[7] || ']+|[' || c_of[8] || ']+';
end
$$;
comment on function app.runs_of_scripts is
  'Returns the pattern of a run in a script without spaces (docs/product.md W29).';
grant execute on function app.runs_of_scripts to anon, authenticated;

-- Separates the words of a text, and its runs in scripts without spaces, by single spaces.
--
-- A word ends at anything that is neither letter, mark nor digit. The collation calls all of that
-- punctuation, except private-use characters, and letters within circles and squares, which it takes for
-- letters. An apostrophe within a word stays, as the letter U+02BC.
create function app.spaced(p_text text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  c_runs constant text := app.runs_of_scripts();
  v_text text := regexp_replace(
    replace(translate(app.folded(p_text), '''', 'ʼ'), 'ʼʼ', ' ') collate pg_catalog.pg_c_utf8,
    '[[:space:][:cntrl:][:punct:]\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U0001f150-\U0001f189'
    '\U000f0000-\U0010ffff]+', ' ', 'g'
  );
begin
  if octet_length(v_text) > char_length(v_text) and v_text ~ c_runs then
    v_text := regexp_replace(v_text, '(' || c_runs || ')', ' \1 ', 'g');
  end if;
  return btrim(regexp_replace(regexp_replace(v_text, ' *ʼ? +ʼ?', ' ', 'g'), '^ʼ|ʼ$', '', 'g'));
end
$$;
comment on function app.spaced is
  'Returns the words and runs of a text with a space between them (docs/product.md W29).';
grant execute on function app.spaced to anon, authenticated;

-- Takes a text apart into words.
--
-- The parts of a word with apostrophes are words too. Of a run in scripts without spaces, each pair of
-- neighbours is a word, and so is a character that stands alone in its script. place counts words, and
-- characters of runs: neighbours within a run differ by one, and the last pair of a run and the next word by
-- two. is_part marks the words that a search for this text leaves out; parts are those of a word with
-- apostrophes.
create function app.words_of(p_text text) returns table (place integer, word text, is_part boolean, parts text[])
language plpgsql immutable set search_path = '' as $$
declare
  c_scripts constant text[] := app.spaceless_scripts();
  c_runs constant text := app.runs_of_scripts();
  c_japanese constant text := '([' || c_scripts[1] || ']+|[' || c_scripts[2] || ']+|[' || c_scripts[3] || ']+)';
  v_text text := app.spaced(p_text);
begin
  if v_text !~ (c_runs || '|ʼ') then
    -- Most texts: a few microseconds instead of thirty.
    return query
    select w.place::integer, left(w.word, 255), false, null::text[]
    from string_to_table(nullif(v_text, ''), ' ') with ordinality as w (word, place);
    return;
  end if;
  return query
  with pieces as materialized (
    select piece.text, piece.size, (1 + sum(piece.size) over (order by piece.number) - piece.size)::integer as place
    from (
      select p.text, p.number,
        case when octet_length(p.text) > char_length(p.text) and p.text ~ c_runs then char_length(p.text) else 1 end
          as size
      from string_to_table(v_text, ' ') with ordinality as p (text, number)
    ) as piece
  )
  -- No text has words of more than 255 letters, and Postgres no lexemes of more than 2,046 bytes.
  select
    p.place, left(replace(p.text, 'ʼ', ''), 255), false,
    case when p.text like '%ʼ%' then array(select left(part, 255) from string_to_table(p.text, 'ʼ') as part) end
  from pieces as p
  where p.size = 1
  union all
  select p.place, left(part.text, 255), true, null
  from pieces as p
  cross join string_to_table(p.text, 'ʼ') as part (text)
  where p.text like '%ʼ%' and part.text <> ''
  union all
  select p.place + pair.number::integer - 1, pair.first || pair.second, false, null
  from pieces as p
  cross join lateral (select string_to_array(p.text, null) as characters) as run
  cross join unnest(run.characters[:p.size - 1], run.characters[2:]) with ordinality as pair (first, second, number)
  where p.size > 1
  union all
  select p.place + part.start::integer, part.text, true, null
  from pieces as p
  cross join lateral (
    select found.parts[1] as text,
      sum(char_length(found.parts[1])) over (order by found.number) - char_length(found.parts[1]) as start
    from regexp_matches(p.text, c_japanese, 'g') with ordinality as found (parts, number)
  ) as part
  where p.size > 1 and char_length(part.text) = 1;
end
$$;
comment on function app.words_of is 'Returns the words of a text with their places (docs/product.md W29).';
grant execute on function app.words_of to anon, authenticated;

create function app.word_vector(p_text text) returns tsvector
language plpgsql immutable set search_path = '' as $$
begin
  return (
    -- Postgres counts places up to 16,383.
    select coalesce(string_agg('''' || w.word || ''':' || least(w.place, 16383), ' '), '')::tsvector
    from app.words_of(p_text) as w
  );
end
$$;
comment on function app.word_vector is 'Returns the words of a text as Postgres indexes them (docs/product.md W29).';
grant execute on function app.word_vector to anon, authenticated;

-- Returns the query of a text as one phrase: its words at their distances. Null for a text without a word.
--
-- A word with apostrophes finds itself joined, and its parts in a longer word: O'Brien in O'Brien's.
create function app.phrase_of(p_text text) returns tsquery
language plpgsql immutable set search_path = '' as $$
declare
  v_word record;
  v_place integer;
  v_phrase tsquery;
begin
  for v_word in
    select w.place, (
      '''' || w.word || ''''
      || coalesce(' | ' || (select string_agg('''' || part || '''', ' <0> ') from unnest(w.parts) as part), '')
    )::tsquery as query
    from app.words_of(p_text) as w
    where not w.is_part
    order by w.place
  loop
    v_phrase := case
      when v_phrase is null then v_word.query else tsquery_phrase(v_phrase, v_word.query, v_word.place - v_place)
    end;
    v_place := v_word.place;
  end loop;
  return v_phrase;
end
$$;
comment on function app.phrase_of is
  'Returns the query for the words of a text in their order; null without a word (docs/product.md W29).';
grant execute on function app.phrase_of to anon, authenticated;

create function app.in_any_order(p_phrase tsquery) returns tsquery
language plpgsql immutable set search_path = '' as $$
begin
  return regexp_replace(p_phrase::text, '<(-|\d+)>', '&', 'g')::tsquery;
end
$$;
comment on function app.in_any_order is 'Returns the query for texts that have every word of a phrase, anywhere.';
grant execute on function app.in_any_order to anon, authenticated;

-- Reads what people type into a search: words, "phrases", -not, or.
--
-- query is null without a word. An index finds its candidates: they have the words of each phrase anywhere,
-- so they include all matches. What a search leaves out limits them where it is one word.
create function app.search_query(p_text text, out query tsquery, out candidates tsquery)
language plpgsql immutable set search_path = '' as $$
declare
  v_terms text[] := array(
    select found.parts[1]
    from regexp_matches(translate(p_text, '“”„‟«»＂', '"""""""'), '(-*"[^"]*"?|[^\s"]+)', 'g')
      with ordinality as found (parts, place)
    order by found.place
  );
  v_term tsquery;
  v_wide tsquery;
  v_all tsquery;
  v_all_wide tsquery;
begin
  for place in 1 .. cardinality(v_terms) + 1 loop
    if place > cardinality(v_terms)
      or lower(v_terms[place]) = 'or' and v_all is not null and place < cardinality(v_terms)
    then
      -- The text is over, or another alternative begins. Without candidates of its own, its candidates are
      -- all texts.
      query := coalesce(query || v_all, query, v_all);
      v_all_wide := case when v_all is not null then coalesce(v_all_wide, '!''ʼ''') end;
      candidates := coalesce(candidates || v_all_wide, candidates, v_all_wide);
      v_all := null;
      v_all_wide := null;
    else
      v_term := app.phrase_of(v_terms[place]);
      v_wide := app.in_any_order(v_term);
      if starts_with(v_terms[place], '-') then
        v_wide := case when numnode(v_term) = 1 then !! v_term end;
        v_term := !! v_term;
      end if;
      v_all := coalesce(v_all && v_term, v_all, v_term);
      v_all_wide := coalesce(v_all_wide && v_wide, v_all_wide, v_wide);
    end if;
  end loop;
end
$$;
comment on function app.search_query is
  'Returns the query of a search in posts, and the wider one of its candidates (docs/product.md PO24).';
grant execute on function app.search_query to anon, authenticated;

-- Returns a text as names are compared with it: words with a space between them.
--
-- One character may stand for eighteen, so a name of 80 is cut to what an entry of an index can hold.
create function app.search_key(p_text text) returns text language sql immutable
return left(replace(app.spaced(p_text), 'ʼ', ''), 200);
comment on function app.search_key is
  'Returns the words of a text as searches compare names with it (docs/product.md W29).';
grant execute on function app.search_key to anon, authenticated;

-- Returns the query for texts that have every word of p_key (app.search_key), in any order; null without a
-- word.
create function app.all_words_of(p_key text) returns tsquery
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select string_agg('(' || app.phrase_of(part.text)::text || ')', ' & ')::tsquery
    from string_to_table(nullif(p_key, ''), ' ') as part (text)
  );
end
$$;
comment on function app.all_words_of is
  'Returns the query for the words of a name, in any order (docs/product.md P22).';

-- Writes each letter beyond ASCII as one of 36, mostly another one for each letter of an alphabet. A syllable
-- of Hangul becomes the letters of which it consists.
create function app.letters_in_ascii(p_key text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select string_agg(
      case
        when ascii(c.letter) < 128 then c.letter
        else substr('abcdefghijklmnopqrstuvwxyz0123456789', 1 + ascii(c.letter) % 36, 1)
      end, '' order by c.place
    )
    from string_to_table(normalize(p_key, nfd), null) with ordinality as c (letter, place)
  );
end
$$;
comment on function app.letters_in_ascii is 'Returns a key in ASCII, for app.trigram_key.';
grant execute on function app.letters_in_ascii to anon, authenticated;

-- Returns a key (app.search_key) in letters and digits that pg_trgm knows under every locale.
--
-- pg_trgm takes words apart by the character type of the database: under C, letters beyond ASCII belong to no
-- word. The planner inlines it, because a search compares hundreds of names.
create function app.trigram_key(p_key text) returns text language sql immutable
return case when octet_length(p_key) = char_length(p_key) then p_key else app.letters_in_ascii(p_key) end;
comment on function app.trigram_key is
  'Returns a key for comparisons by trigrams, the same under every locale (docs/product.md P22).';
grant execute on function app.trigram_key to anon, authenticated;

-- Returns the last word of a key (app.search_key), mostly a family name; the key itself without a space. The
-- planner inlines it.
create function app.last_word(p_key text) returns text language sql immutable
return regexp_replace(p_key, '^.* ', '');
comment on function app.last_word is 'Returns the last word of a name (docs/product.md P22).';
grant execute on function app.last_word to anon, authenticated;

-- Returns the first ten distinct usernames that a text mentions with an @, in lower case.
--
-- A mention follows neither a Latin letter, digit, _, / nor @, so neither addresses nor paths mention
-- anybody. It ends before anything but a Latin letter, mark, digit, _ or @. Letters of other scripts may
-- stand beside it. The ranges are those of Unicode 17, because classes of characters depend on the locale.
create function app.usernames_in(p_text text) returns text[]
language plpgsql immutable set search_path = '' as $$
declare
  c_beside constant text :=
    '@_A-Za-z0-9\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8\u02e0-\u02e4\u1d00-\u1d25\u1d2c-\u1d5c'
    '\u1d62-\u1d65\u1d6b-\u1d77\u1d79-\u1dbe\u1e00-\u1eff\u2071\u207f\u2090-\u209c\u212a\u212b\u2132\u214e'
    '\u2183\u2184\u2c60-\u2c7f\ua722-\ua787\ua78b-\ua7ff\uab30-\uab5a\uab5c-\uab64\uab66-\uab69\ufb00-\ufb06'
    '\uff21-\uff3a\uff41-\uff5a\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f'
    '\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59'
    '\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u1090-\u1099\u17e0-\u17e9\u1810-\u1819\u1946-\u194f\u19d0-\u19d9'
    '\u1a80-\u1a99\u1b50-\u1b59\u1bb0-\u1bb9\u1c40-\u1c59\ua620-\ua629\ua8d0-\ua8d9\ua900-\ua909\ua9d0-\ua9d9'
    '\ua9f0-\ua9f9\uaa50-\uaa59\uabf0-\uabf9\uff10-\uff19';
begin
  -- Most texts end here, before the search.
  if coalesce(strpos(p_text, '@'), 0) = 0 then
    return '{}'::text[];
  end if;
  return array(
    select handle.name
    from (
      select lower(found.parts[1] collate "C") as name, min(found.place) as place
      from regexp_matches(
        normalize(p_text), '(?<![/' || c_beside || '])@([A-Za-z0-9_]{3,30})(?![' || c_beside || app.marks() || '])', 'g'
      ) with ordinality as found (parts, place)
      group by 1
      order by 2
      limit 10
    ) as handle
    order by handle.place
  );
end
$$;
comment on function app.usernames_in is 'Returns the usernames that a text mentions (docs/product.md N25).';
