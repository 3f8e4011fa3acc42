select plan(6);

select is(
  tests.violation_of($$
    insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count, is_folded)
    select tests.id('maya'), 'everybody', tests.id('maya'), 0, 1, true from generate_series(1, 2)
  $$),
  'inbox_counts_folded_key', 'one that is folded'
);
select is(
  tests.violation_of($$
    insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
    select tests.id('maya'), 'everybody', tests.id('maya'), 0, 1 from generate_series(1, 2)
  $$),
  null, 'and as many as changes that are not'
);
select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.inbox_counts', 'insert into app.inbox_counts default values', 'update app.inbox_counts set unread_count = unread_count', 'delete from app.inbox_counts']) as verb;

select * from finish();
