select plan(3);

select tests.elm();
select tests.without_indexes();
select tests.act_as('maya');
select is(api.get_hub_feed(tests.in_hub('elm')), '{"items": [], "nextCursor": null}', 'at first there is nothing');
reset role;
select tests.discussion(n::text, 'jonas', 'elm') from generate_series(1, 6) as n;
select tests.act_as('maya');
select is(
  tests.listed(api.get_hub_feed(tests.in_hub('elm'))), array(select p.id from app.posts as p order by p.id desc), 'then all in the order of their ids'
);
select is(
  tests.listed_in_parts('get_hub_feed', tests.in_hub('elm')), array(select p.id from app.posts as p order by p.id desc), 'on pages as on one'
);

select * from finish();
