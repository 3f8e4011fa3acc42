select plan(3);

select tests.elm();
select tests.asset(name, 'jonas') from unnest(array['one', 'two']) as name;
select tests.discussion('trams', 'jonas', 'elm');
select tests.message(name, 'jonas', 'trams in elm') from unnest(array['first', 'second', 'third']) as name;
update app.messages set asset_id = tests.id('one') where id = any (tests.ids('first', 'second'));
update app.messages set asset_id = tests.id('two') where id = tests.id('third');

update app.messages set asset_id = null where id = tests.id('first');
select is_empty('select tests.to_be_removed()', 'what another message shows stays');
update app.messages set asset_id = null where id = tests.id('second');
select set_eq('select tests.to_be_removed()', tests.ids('one'), 'what none shows any more goes');
delete from app.messages where id = tests.id('third');
select set_eq('select tests.to_be_removed()', tests.ids('one', 'two'), 'as it does with its message');

select * from finish();
