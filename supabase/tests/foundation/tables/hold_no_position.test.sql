select plan(4);

select is_empty(
  $$
    select a.attrelid::regclass, a.attname
    from pg_attribute as a
    join pg_type as t on t.oid = a.atttypid
    where 'app.vote_position'::regtype in (t.oid, t.typelem, t.typbasetype)
  $$,
  'no column of any table or row type is a position, an array of positions or a domain over them'
);
create temporary table votes as
select c.oid, c.relname::text as name
from pg_class as c
where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p', 'v') and c.relname ~ 'vote|ballot|pending|promotion|pool|milestone';
select set_eq(
  $$ select name from votes join pg_attribute on attrelid = oid where attname ~ 'user|voter|actor|subject|author|person' $$,
  array['vote_receipts', 'fresh_votes'],
  'of the tables of votes, the receipts, and what the fold is to do with them, alone know a person'
);
select is_empty(
  $$
    select name, attname
    from votes
    join pg_attribute on attrelid = oid
    where name in ('vote_receipts', 'fresh_votes') and attnum > 0
      and attname <> all (array['post_id', 'user_id', 'voted_at', 'hub_ids', 'baseline', 'cast_at', 'hub_count'])
  $$,
  'and nothing that could say what somebody voted'
);
select is_empty(
  $$
    select name, attname
    from votes
    join pg_attribute on attrelid = oid
    where attnum > 0 and atttypid in ('timestamptz'::regtype, 'timestamp'::regtype, 'time'::regtype, 'date'::regtype)
      and (name, attname) not in (('vote_receipts', 'voted_at'), ('fresh_votes', 'cast_at'), ('pending_ballots', 'cast_hour'), ('pending_totals', 'cast_hour'))
  $$,
  'what counts has no time, or that of an hour'
);

select * from finish();
