select plan(2);

select tests.elm();
select tests.discussion(n::text, 'jonas', 'elm') from generate_series(1, 6) as n;
select tests.without_indexes();
select tests.act_as('maya');
select is(
  tests.listed(api.list_discussions(tests.in_hub('elm'))), array(select d.id from app.discussions as d order by d.id desc), 'in the order of their ids'
);
select is(
  tests.listed_in_parts('list_discussions', tests.in_hub('elm')), array(select d.id from app.discussions as d order by d.id desc), 'on pages as on one'
);

select * from finish();
