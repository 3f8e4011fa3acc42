select plan(1);

select tests.elm();
select tests.post('trams', 'maya');
delete from app.hubs where id = tests.id('elm');
select results_eq('select source_id from app.feed_events where lost_at is null', tests.ids('maya'), 'what remains is in her own stream');

select * from finish();
