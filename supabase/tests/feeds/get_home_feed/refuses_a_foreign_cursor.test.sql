select plan(1);

select tests.act_as_guest();
select throws_ok(
  $$ select api.get_home_feed('{"limit": 20, "cursor": "page 2"}') $$, 'PT422', 'VALIDATION_FAILED', 'a cursor is one that a page gave'
);

select * from finish();
