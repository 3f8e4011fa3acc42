select plan(2);

-- The gateway looks the session up before an operation runs. The Data API does not.
select tests.person('maya', 4);
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
create temporary table operations as
select operation from tests.executable_by('authenticated', 'api') as operation;
grant select on operations to public;

set local role authenticated;
select is_empty(
  $$
    select operation
    from operations
    where tests.error_of(format('select %s', replace(operation, '(jsonb)', '(''{}'')'))) ->> 'code' is distinct from 'UNAUTHORIZED'
  $$,
  'no operation runs for a session that has ended'
);
select cmp_ok((select count(*) from operations), '>', 60::bigint, 'the operations of members are among those tried');

select * from finish();
