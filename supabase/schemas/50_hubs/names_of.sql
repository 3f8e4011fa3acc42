create function app.names_of(p_user_id uuid)
returns setof text
language sql
stable
security invoker
set search_path = ''
begin atomic
  with person as (
    select p.username, app.folded(coalesce(h.display_name, p.full_name)) as name
    from app.profiles as p
    left join app.hub_profiles as h on h.user_id = p.user_id
    where p.user_id = p_user_id
  ),
  words as (
    select word, place
    from person
    cross join lateral regexp_split_to_table(btrim(person.name), '\s+') with ordinality as part (word, place)
  )
  select person.username from person
  union
  select string_agg(later.word, ' ' order by later.place)
  from words
  join words as later on later.place >= words.place
  -- Of a name of single letters there would be forty.
  where words.place <= 10
  group by words.place;
end;
comment on function app.names_of(uuid) is 'What somebody is called in Hubs: their username, and their display name from each of its first ten words on.';

revoke all on function app.names_of(uuid) from public;
