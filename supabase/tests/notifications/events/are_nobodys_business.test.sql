select plan(1);

select tests.elm();
select app.emit('user_followed', tests.id('maya'), tests.id('jonas'));
select set_eq(
  'select verb from unnest(array[''select type from app.events'', ''insert into app.events (type) values (''''user_followed'''')'',
    ''update app.events set type = type'', ''delete from app.events'', ''select app.emit(''''user_followed'''', null)'']) as verb
    where exists (select from tests.who_may(verb))',
  '{}'::text[], 'no role reads, writes, changes or removes one, or says that something happened'
);

select * from finish();
