select plan(5);

insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
select tests.id('maya'), 'everybody', tests.id('maya'), 1, 2 from generate_series(1, 20001);

select ok(app.fold_inbox_counts(), 'there are more');
select bag_eq(
  'select unread_count, change_count, is_folded from app.inbox_counts', 'values (20000, 40000::bigint, true), (1, 2, false)', 'than twenty thousand at a time'
);
select ok(not app.fold_inbox_counts(), 'and then none');
select results_eq('select unread_count, change_count, is_folded from app.inbox_counts', 'values (20001, 40002::bigint, true)', 'that are not in one row');
insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
select tests.id('maya'), 'everybody', tests.id('maya'), 1, 2 from generate_series(1, 20000);
select ok(app.fold_inbox_counts(), 'where it took as many as it may there may be more');

select * from finish();
