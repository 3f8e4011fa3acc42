create function app.has_visible_character(p_text text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  -- All but white space, controls, format characters, marks that need a letter, what fonts may leave out, and blank letters.
  return p_text ~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u0300-\u036f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680'
    || '\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u200f\u2028-\u202f\u205f-\u206f\u20d0-\u20ff\u2800\u3000\u3164'
    || '\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufffb'
    || '\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]');
end
$$;
comment on function app.has_visible_character(text) is 'Tells whether a text holds a character that a person can see. Args: p_text. Returns null for null.';

revoke all on function app.has_visible_character(text) from public;
grant execute on function app.has_visible_character(text) to anon, authenticated;
