select plan(11);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.act_as('maya');
select lives_ok(
  $$ insert into app.posts (author_id, thought_text, visibility) values (tests.id('maya'), 'Trams', 'public') $$, 'one posts as oneself'
);
select throws_ok(
  $$ insert into app.posts (author_id, thought_text, visibility) values (tests.id('jonas'), 'Trams', 'public') $$,
  '42501', 'new row violates row-level security policy for table "posts"', 'and as nobody else'
);
select throws_ok(
  $$ insert into app.posts (author_id, thought_text, visibility, created_at) values (tests.id('maya'), 'Trams', 'public', 'infinity') $$,
  '42501', null, 'nor at another time'
);
select throws_ok(
  format('insert into app.posts (author_id, thought_text, visibility, %s) values (%L, %L, %L, default)', kept, tests.id('maya'), 'Trams', 'public'),
  '42501', null, 'nor with a ' || kept || ' of one''s choice'
)
from unnest(array['id', 'comment_count', 'repost_count', 'vote_count']) as kept;
reset role;
select tests.post('trams', 'jonas');
select tests.repost('again', 'jonas', 'trams');
select tests.post('hidden', 'jonas', 'private_locked_hub');
create function pg_temp.repost(p_source text)
returns text
language sql
return tests.refusal_of('maya', format(
  'insert into app.posts (author_id, source_post_id, thought_text, visibility) values (%L, %L, %L, %L)', tests.id('maya'), tests.id(p_source), 'Mine', 'public'
));
select is(pg_temp.repost('trams'), null, 'one reposts what one sees');
select is(pg_temp.repost('hidden'), '42501', 'and nothing else');
select is(pg_temp.repost('again'), '42501', 'nor a repost');
select tests.act_as_guest();
select throws_ok(
  $$ insert into app.posts (author_id, thought_text, visibility) values (tests.id('maya'), 'Trams', 'public') $$,
  '42501', null, 'a guest posts nothing'
);

select * from finish();
