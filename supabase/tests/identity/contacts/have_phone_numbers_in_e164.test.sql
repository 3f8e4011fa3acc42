select plan(13);

select tests.person('maya', 3);
select tests.upload('maya');

create function pg_temp.violation(p_phones text[])
returns text
language plpgsql
as $$
begin
  delete from app.contacts;
  return tests.violation_of(format(
    'insert into app.contacts (user_id, place, name, phone_numbers) values (tests.id(%L), 1, %L, %L)', 'maya', 'Ann', p_phones
  ));
end
$$;

select is(pg_temp.violation(phones), 'contacts_phone_numbers_are_e164', 'no number: ' || phones::text)
from (
  values
    (array['2025550101']),
    (array['+0025550101']),
    (array['+1 202 555 0101']),
    (array['+123456']),
    (array['+1234567890123456']),
    (array['+12025550101', 'home']),
    (array['home', '+12025550101']),
    (array[E'+12025550101\n']),
    (array['']),
    (array['+12025550101', '']),
    (array['+12025550101,+12025550102'])
) as refused (phones);
select isnt(pg_temp.violation(array[null]), null, 'nothing at all is no number either');
select is(pg_temp.violation(array['+12025550101', '+491234567', '+123456789012345']), null, 'numbers with their country are');

select * from finish();
