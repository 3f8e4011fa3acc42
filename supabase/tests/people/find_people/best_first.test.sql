select plan(5);

select tests.named('key_5', 'Mullans Xi');
select tests.named('key_3', 'Carl Ulla');
select tests.named('key_4', 'Bert Xu');
select tests.named('key_1', 'Ulladin Young');
select tests.named('key_2', 'Ulla Young');
select tests.named('key_0', 'Ulla');
select tests.named('ullabel', 'Ulla Zet');
select tests.named('ulla_b', 'Yara Zet');
select tests.named('ulla', 'Zora Zet');

-- No index lends an order that is not asked for.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
select tests.act_as_guest();
select is(
  tests.search('ulla'), '{ulla,ulla_b,ullabel,key_0,key_2,key_1,key_3}',
  'the exact username, usernames that begin so, names that do, last names that do: each in the order of the alphabet'
);
select is(tests.search('@Úlla'), tests.search('ulla'), 'however it is written');
select is((tests.search('ulla y'))[1], 'key_2', 'names may be typed on');
select is(
  tests.search('zet'), array(select p.username::text from app.profiles as p where p.full_name ~ 'Zet$' order by p.user_id),
  'those of one last name are in the order of ids'
);
select is(tests.search('b'), '{key_4}', 'one letter is enough');

select * from finish();
