select plan(2);

select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.message(n::text, 'jonas', 'trams in elm') from generate_series(1, 6) as n;
select tests.without_indexes();
select tests.act_as('maya');
select is(
  tests.listed(api.list_messages(tests.in_discussion('trams in elm'))), array(select m.id from app.messages as m order by m.id), 'in the order of their ids'
);
select is(
  tests.listed_in_parts('list_messages', tests.in_discussion('trams in elm')), array(select m.id from app.messages as m order by m.id), 'on pages as on one'
);

select * from finish();
