select plan(5);

select tests.person('maya');
select tests.act_as('maya');
select is_empty(
  $$
    select handle
    from unnest(array['', 'a', 'Maya Lindqvist!', 'mäya', '___', repeat('a', 200), 'admin', '💬']) as text,
      generate_series(1, 20),
      unnest(app.handles_like(text)) as handle
    where app.handle_refusal(handle) is not null
  $$,
  'whatever the text, what is offered can be had'
);
select is_empty(
  $$ select from unnest(array['', '💬', repeat('a', 200)]) as text where cardinality(app.handles_like(text)) <> 3 $$, 'there are three'
);
select is_empty(
  $$ select from unnest(app.handles_like('M a!y_a')) as handle where handle !~ '^ay_a[0-9]+$' $$, 'of what a handle may hold of it'
);
select is_empty(
  $$ select from unnest(app.handles_like('mäyé')) as handle where handle !~ '^maye[0-9]+$' $$, 'and of letters without their accents'
);
select is(count(distinct handle)::integer, 3, 'no two alike')
from unnest(app.handles_like('maya')) as handle;

select * from finish();
