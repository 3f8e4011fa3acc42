select plan(11);

select tests.person('maya', 3);
select tests.upload('maya');

create function pg_temp.keep(p_name text, p_phones text[] default '{}', p_thumbnail_size integer default 0, p_place integer default 1)
returns text
language sql
return tests.violation_of(format(
  'insert into app.contacts (user_id, place, name, phone_numbers, thumbnail) values (tests.id(%L), %L, %L, %L, %L)',
  'maya', p_place, p_name, p_phones, convert_to(repeat('x', p_thumbnail_size), 'UTF8')
));

select is(pg_temp.keep(repeat('é', 201)), 'contacts_name_length', 'a name has 200 characters at most');
select is(pg_temp.keep(repeat('é', 200)), null, 'characters, not bytes');
select is(pg_temp.keep(''), 'contacts_pkey', 'each contact has a place of its own');
select is(pg_temp.keep('', p_place => 2), null, 'a name may be empty');
select is(
  pg_temp.keep('Ann', array_fill('+12025550101'::text, array[51]), p_place => 3), 'contacts_phone_numbers_are_few',
  'a contact has 50 numbers at most'
);
select is(pg_temp.keep('Ann', array_fill('+12025550101'::text, array[50]), p_place => 3), null, 'and may have as many');
select is(pg_temp.keep('Ann', p_thumbnail_size => 8193, p_place => 4), 'contacts_thumbnail_is_small', 'a thumbnail of more than 8 KiB is refused');
select is(pg_temp.keep('Ann', p_thumbnail_size => 8192, p_place => 4), null, 'a thumbnail of 8 KiB is kept');
select is(pg_temp.keep('Ann', p_place => 0), 'contacts_place_is_within_limit', 'places begin at one');
select is(pg_temp.keep('Ann', p_place => 5001), 'contacts_place_is_within_limit', 'and there are 5,000');
delete from app.contact_snapshots;
select is_empty('select from app.contacts', 'contacts go with their snapshot');

select * from finish();
