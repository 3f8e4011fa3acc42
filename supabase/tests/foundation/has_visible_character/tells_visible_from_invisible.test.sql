select plan(4);

select is_empty(
  $$
    select given.text
    from (values ('a'), ('0'), ('-'), ('é'), ('中'), ('ع'), ('👍'), ('👨‍👩‍👧'), ('❤️'), ('1️⃣'), ('🏴󠁧󠁢󠁥󠁮󠁧󠁿'), (' a '), (U&'\200ba\200b'), (U&'\202ea')) as given (text)
    where app.has_visible_character(given.text) is not true
  $$,
  'a letter, a sign and an emoji are visible, whatever stands around them'
);
select is_empty(
  $$
    select to_hex(character.code)
    from (
      values (1), (8), (9), (10), (13), (31), (32), (127), (133), (159), (160), (173), (769), (847), (8413), (1564), (4447), (4448), (5760), (6068),
        (6069), (6155), (6158), (8192), (8203), (8207), (8232), (8233), (8234), (8238), (8239), (8287), (8288), (8294), (8297), (8303),
        (10240), (12288), (12644), (65024), (65039), (65279), (65440), (65520), (65531), (113824), (119155), (917505), (917631),
        (917760), (921599)
    ) as character (code)
    where app.has_visible_character(repeat(chr(character.code), 3)) is not false
  $$,
  'white space, controls, format characters, bare marks and blank letters are invisible'
);
select is(app.has_visible_character(''), false, 'an empty text is invisible');
select is(app.has_visible_character(null), null, 'no text is neither');

select * from finish();
