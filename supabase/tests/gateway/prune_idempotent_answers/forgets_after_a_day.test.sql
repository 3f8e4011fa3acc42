select plan(1);

select tests.person('maya');
insert into gateway.idempotent_answers (user_id, key, fingerprint, created_at)
values
  (tests.id('maya'), 'a day old', 'f', app.now() - interval '24 hours'),
  (tests.id('maya'), 'nearly', 'f', app.now() - interval '23 hours 59 minutes 59 seconds');
set local session authorization opine_worker;
select gateway.prune_idempotent_answers();
reset session authorization;
select set_eq('select key from gateway.idempotent_answers', array['nearly'], 'what may be replayed stays');

select * from finish();
