select plan(5);

select tests.elm();
delete from app.inbox_counts;
insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count, is_folded)
values
  (tests.id('maya'), 'hub_member', tests.id('elm'), 3, 10, true),
  (tests.id('maya'), 'hub_member', tests.id('elm'), 2, 1, false), (tests.id('maya'), 'hub_member', tests.id('elm'), -1, 3, false),
  (tests.id('maya'), 'hub_ready', tests.id('maya'), 1, 1, false), (tests.id('maya'), 'everybody', tests.id('maya'), 5, 7, false),
  (tests.id('maya'), 'hub_member', tests.id('oak'), 4, 1, false), (tests.id('jonas'), 'hub_member', tests.id('elm'), -2, 2, false),
  (tests.id('jonas'), 'everybody', tests.id('jonas'), 8, 9, true);

set local session authorization opine_worker;
select ok(not app.fold_inbox_counts(), 'so few at once');
reset session authorization;
select bag_eq(
  'select user_id, audience::text, scope_id, unread_count, change_count, is_folded from app.inbox_counts',
  $$
    values
      (tests.id('maya'), 'hub_member', tests.id('elm'), 4, 14::bigint, true), (tests.id('maya'), 'hub_ready', tests.id('maya'), 1, 1, true),
      (tests.id('maya'), 'everybody', tests.id('maya'), 5, 7, true), (tests.id('maya'), 'hub_member', tests.id('oak'), 4, 1, true),
      (tests.id('jonas'), 'hub_member', tests.id('elm'), -2, 2, true), (tests.id('jonas'), 'everybody', tests.id('jonas'), 8, 9, true)
  $$,
  'what was counted is added up'
);
select ok(not app.fold_inbox_counts(), 'then there is nothing to do');
select is(count(*), 6::bigint, 'and nothing changes') from app.inbox_counts;
select set_eq($$ select tests.who_may('select app.fold_inbox_counts()') $$, array['opine_worker'], 'the worker does this');

select * from finish();
