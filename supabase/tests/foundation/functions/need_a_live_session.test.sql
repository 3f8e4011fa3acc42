select plan(2);

-- The gateway asks before; the Data API does not.
select tests.person('maya', 4);
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
create temporary table operations as
select operation from tests.executable_by('authenticated', 'api') as operation
except
select operation from tests.executable_by('anon', 'api') as operation
except
-- A vote refuses before that what is not serializable, and its answer tells what everybody may read.
select unnest(array['api.cast_vote(jsonb)', 'api.cast_vote_answer(jsonb)']);
grant select on operations to public;

set local role authenticated;
select is_empty(
  $$
    select operation
    from operations
    where tests.error_of(format('select %s', replace(operation, '(jsonb)', '(''{}'')'))) ->> 'code' is distinct from 'UNAUTHORIZED'
  $$,
  'no operation that a guest may not run is run for a session that has ended'
);
select isnt_empty('select from operations', 'there are such');

select * from finish();
