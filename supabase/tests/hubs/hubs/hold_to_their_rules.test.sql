select plan(19);

select tests.person('amara', 4);
select tests.hub('elm', 'amara');

create function pg_temp.violation(p_change text)
returns text
language sql
as $$ select tests.violation_of(format('update app.hubs set %s where id = tests.id(%L)', p_change, 'elm')) $$;

select is(pg_temp.violation($$ name = 'a' $$), 'hubs_name_length', 'a name has two characters');
select is(pg_temp.violation($$ name = ' a ' $$), 'hubs_name_length', 'that are no blanks');
select is(pg_temp.violation($$ name = 'ab' $$), null, 'at least');
select is(pg_temp.violation($$ name = repeat('é', 80) $$), null, 'and 80');
select is(pg_temp.violation($$ name = repeat('é', 81) $$), 'hubs_name_length', 'at most');
select is(pg_temp.violation($$ description = repeat('é', 500) $$), null, 'a description has up to 500');
select is(pg_temp.violation($$ description = repeat('é', 501) $$), 'hubs_description_length', 'and no more');
select is(pg_temp.violation(format('custom_link = %L', link)), null, 'a custom link may be ' || link)
from unnest(array['elm', 'e-1', repeat('e', 40)]) as link;
select is(pg_temp.violation(format('custom_link = %L', link)), 'hubs_custom_link_is_canonical', 'and may not be "' || link || '"')
from unnest(array['el', repeat('e', 41), 'Elm', 'é-lm', 'elm ', E'elm\n']) as link;
update app.hubs set custom_link = 'elm-street';
select is(
  tests.violation_of($$ insert into app.hubs (name, custom_link) values ('Other', 'elm-street') $$), 'hubs_custom_link_key',
  'a custom link is one Hub''s'
);
select is(pg_temp.violation('closed_at = app.now(), custom_link = null'), 'hubs_closed_are_empty', 'no Hub is closed that has a member');
select is(pg_temp.violation('closed_at = app.now(), member_count = 0'), 'hubs_closed_are_empty', 'and a closed one keeps no custom link');

select * from finish();
