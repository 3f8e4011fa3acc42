select plan(17);

select tests.person('maya');

create function pg_temp.change(p_column text, p_value text)
returns text
language sql
return tests.violation_of(format('update app.profiles set %I = %L', p_column, p_value));

select is(pg_temp.change('username', handle), 'profiles_username_is_canonical', format('"%s" is no handle', handle))
from unnest(array['ab', repeat('a', 31), 'Maya', '@maya', 'may a', 'mäya', E'maya\n']) as handle;
select is(pg_temp.change('username', 'ab_' || repeat('1', 27)), null, 'letters, digits and underscores are, up to 30');
select is(pg_temp.change('full_name', '     '), 'profiles_full_name_length', 'spaces are no name');
select is(pg_temp.change('full_name', 'M'), 'profiles_full_name_length', 'a name has two characters at least');
select is(pg_temp.change('full_name', repeat('é', 81)), 'profiles_full_name_length', 'and 80 at most');
select is(pg_temp.change('full_name', repeat('é', 80)), null, 'characters, not bytes');
select is(pg_temp.change('full_name', 'Al'), null, 'as few as two');
select is(pg_temp.change('bio', ''), 'profiles_bio_length', 'an empty bio is none');
select is(pg_temp.change('bio', 'b'), null, 'a bio has a character');
select is(pg_temp.change('bio', repeat('é', 160)), null, '160');
select is(pg_temp.change('bio', repeat('é', 161)), 'profiles_bio_length', 'at most');

select * from finish();
