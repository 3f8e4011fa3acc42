create function gateway.without_phones(p_answer jsonb)
returns jsonb
language sql
immutable
security invoker
set search_path = ''
-- A quote inside a JSON string is escaped, so the pattern matches keys only.
return regexp_replace(p_answer::text, '"(\w*phoneNumber)": "[^"]*"', '"\1": null', 'gi')::jsonb;
comment on function gateway.without_phones(jsonb) is 'Removes phone numbers from an answer. Args: p_answer. Returns it with null in each field whose name ends in phoneNumber, at any depth.';

revoke all on function gateway.without_phones(jsonb) from public;
