select plan(6);

select tests.named('exact', 'Katharina Meyer');
select tests.named('near', 'Katarina Meyer');
select tests.named('farther', 'Katrina Meyer');
select tests.named('other', 'Jonas Schmidt');
select tests.named('by_handle', 'Somebody Else');
select tests.named('katharinna', 'Else Somebody');

select tests.act_as_guest();
select is(tests.search('katharina'), '{exact,katharinna,near,farther}', 'who is called so, then who is called alike, nearest first');
select is(tests.search('smidt'), '{other}', 'by a word of the name');
select is(tests.search('handel'), '{by_handle}', 'or of the username');
select is(tests.search('xyzzy'), '{}', 'nobody is called like nothing');
reset role;
select is_empty($$ select tests.who_may('select app.find_people_alike(null, null, null, 1)') $$, 'it is a part of app.find_people');
select is(max(tier), 4, 'the last') from app.find_people('katharina', app.decode_hit(null), 10);

select * from finish();
