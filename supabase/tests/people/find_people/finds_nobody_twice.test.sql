select plan(2);

-- All but the last fit several tiers.
select tests.named('berg', 'Berg Berg');
select tests.named('berg_two', 'Two Berg');
select tests.named('other', 'Berg Berger');
select tests.named('third', 'Carl Berg');
select tests.named('fourth', 'Carl Berk');

select tests.act_as_guest();
select is(tests.search('berg'), '{berg,berg_two,other,third,fourth}', 'each once, where they fit best');
select is(
  tests.on_pages('search_users', '{"q": "berg", "limit": 1}'), '{berg,berg_two,other,third,fourth}', 'on pages as on one, and no empty one at the end'
);

select * from finish();
