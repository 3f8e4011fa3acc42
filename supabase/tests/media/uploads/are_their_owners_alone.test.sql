select plan(9);

select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.open_upload('hers', 'maya');

create function pg_temp.announce(p_owner text)
returns void
language sql
as $$
  insert into app.uploads (owner_id, purpose, content_type, size_bytes) values (tests.id(p_owner), 'document', 'application/pdf', 1)
$$;

select tests.act_as('jonas');
select is_empty('select from app.uploads', 'nobody sees what others upload');
select lives_ok($$ select pg_temp.announce('jonas') $$, 'one announces one''s own');
select throws_ok($$ select pg_temp.announce('maya') $$, '42501', null, 'and none in the name of another');
select results_eq('select owner_id from app.uploads', array[tests.id('jonas')], 'one sees one''s own');
select throws_ok(
  $$
    insert into app.uploads (owner_id, purpose, content_type, size_bytes, expires_at)
    values (tests.id('jonas'), 'document', 'application/pdf', 1, 'infinity')
  $$,
  '42501', null, 'how long it is open is not the owner''s to say'
);
select throws_ok($$ update app.uploads set asset_id = tests.id('hers') $$, '42501', null, 'nor what became of it');
select throws_ok('delete from app.uploads', '42501', null, 'nor that there was one');
select tests.act_as_guest();
select throws_ok('select from app.uploads', '42501', null, 'a guest sees none');
select throws_ok($$ select pg_temp.announce('jonas') $$, '42501', null, 'and announces none');

select * from finish();
