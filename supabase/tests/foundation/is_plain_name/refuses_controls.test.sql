select plan(2);

select is_empty(
  $$
    select given.name
    from (values ('Amara'), ('Amara Okafor'), ('محمد'), ('👨‍👩‍👧 Elm Street'), (U&'\0645\200c\06cc')) as given (name)
    where app.is_plain_name(given.name) is not true
  $$,
  'a name of any script is plain, with joiners and spaces in it'
);
select is_empty(
  $$
    select to_hex(character.code)
    from (
      select * from generate_series(1, 31) union all select * from generate_series(127, 159)
      union all select * from generate_series(8232, 8238) union all select * from generate_series(8294, 8297)
    ) as character (code)
    where app.is_plain_name('Ma' || chr(character.code) || 'ya') is not false
  $$,
  'a name with a control character, a line end or a direction control is not plain'
);

select * from finish();
