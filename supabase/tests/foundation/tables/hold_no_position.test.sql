select plan(2);

select is_empty(
  $$
    select a.attrelid::regclass, a.attname
    from pg_attribute as a
    join pg_type as t on t.oid = a.atttypid
    where 'app.vote_position'::regtype in (t.oid, t.typelem, t.typbasetype)
  $$,
  'no column of any table or row type is a position, an array of positions or a domain over them'
);
select set_eq(
  $$
    select conrelid::regclass::text from pg_constraint
    where contype = 'f' and confrelid = 'app.posts'::regclass and conrelid::regclass::text ~ 'vote'
    intersect
    select attrelid::regclass::text from pg_attribute where attname = 'user_id'
  $$,
  array['app.vote_receipts'],
  'of the tables of votes, the receipts alone know a person'
);

select * from finish();
