select plan(5);

select tests.elm();
select tests.asset(name, 'jonas') from unnest(array['one', 'two', 'three', 'four']) as name;
select tests.post('trams', 'maya');
select tests.comment(name, 'jonas', 'trams') from unnest(array['first', 'second', 'third', 'fourth']) as name;
update app.comments set asset_id = tests.id('one') where id = any (tests.ids('first', 'second'));
update app.comments set asset_id = tests.id('two') where id = tests.id('third');
update app.comments set asset_id = tests.id('three') where id = tests.id('fourth');
select is_empty('select tests.to_be_removed()', 'what is shown now and was not before stays');
update app.comments set asset_id = null where id = tests.id('first');
select is_empty('select tests.to_be_removed()', 'and what another comment shows');
update app.comments set asset_id = null where id = tests.id('second');
select set_eq('select tests.to_be_removed()', tests.ids('one'), 'what none shows any more goes');
delete from app.comments where id = tests.id('third');
select set_eq('select tests.to_be_removed()', tests.ids('one', 'two'), 'as it does with its comment');
delete from app.posts;
select set_eq('select tests.to_be_removed()', tests.ids('one', 'two', 'three'), 'and its post; what never was shown does not');

select * from finish();
