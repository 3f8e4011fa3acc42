select plan(5);

select is(app.search_key('@Maya'), 'maya', 'a leading @ is left out');
select is(app.search_key('  @Zoë Berg '), 'zoe berg', 'as are blanks around it, capitals and accents');
select is(app.search_key('@@maya'), '@maya', 'one of them');
select is(app.search_key('a@b'), 'a@b', 'and none inside');
select is(app.search_key('@'), '', 'then there may be nothing left');

select * from finish();
