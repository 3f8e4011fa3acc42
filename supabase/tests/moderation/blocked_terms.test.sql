begin;
select plan(9);
savepoint empty;

-- add_blocked_term accepts terms that the search of words can hold.
create function pg_temp.refusal_of(p_term text)
returns text
language sql
return tests.error_of(format('select staff.add_blocked_term(%L, %L)', p_term, 'Fifty reports.')) ->> 'code';
select tests.log_in_as('nina', 'staff_moderator');
select is(
  pg_temp.refusal_of(term), expected,
  format('add_blocked_term %s %s', case when expected is null then 'accepts' else 'refuses' end, what)
)
from (values
  (repeat('x', 100), null, 'a word of 100 letters'), (repeat('x', 101), 'VALIDATION_FAILED', 'a word of 101 letters'),
  ('a' || repeat('-', 98) || 'b', null, 'a term of 100 characters'),
  ('a' || repeat('-', 99) || 'b', 'VALIDATION_FAILED', 'a term of 101 characters, whose words are short'),
  ('  ' || repeat('y', 100) || '  ', null, 'a word of 100 letters between spaces')
) as c (term, expected, what);
reset session authorization;

rollback to empty;

-- What people write is searched for blocked terms, what staff restores is not.
select tests.person('maya'), tests.person('jonas');
select tests.post('trams', 'maya');
insert into staff.blocked_terms (term) values ('pillz');
insert into app.comments (post_id, author_id, body) values (tests.id('trams'), tests.id('jonas'), 'pillz');
select is_empty('select from app.reports', 'a comment that no person writes is not reported for its terms');
-- The claims of a person, with the rights of the test.
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
insert into app.comments (id, post_id, author_id, body)
values (tests.id('hers'), tests.id('trams'), tests.id('maya'), 'Buy pillz');
select results_eq(
  'select comment_id, is_by_service from app.reports', $$ values (tests.id('hers'), true) $$,
  'a comment with a blocked term is reported by the service'
);
delete from app.reports;
select set_config('request.jwt.claims', '', true);
update app.posts set thought_text = 'Buy pillz' where id = tests.id('trams');
select is_empty('select from app.reports', 'a post that no person changes is not reported for its terms');
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
update app.profiles set bio = 'pillz' where user_id = tests.id('maya');
select results_eq(
  'select user_id from app.reports', tests.ids('maya'),
  'a text that takes the place of none is searched for blocked terms'
);

select * from finish();
rollback;
