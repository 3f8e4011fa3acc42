select plan(1);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.post('trams', 'maya');
create function pg_temp.end_jonas() returns trigger language plpgsql security definer as $$ begin perform app.end_user(tests.id('jonas')); return null; end $$;
create trigger ends after insert on app.comments for each row execute function pg_temp.end_jonas();
select tests.act_as('jonas');
select throws_ok(
  $$ select api.create_comment(tests.arguments('trams') || '{"text": "Too late"}') $$, 'PT401', 'UNAUTHORIZED', 'whose account ends meanwhile says nothing'
);

select * from finish();
