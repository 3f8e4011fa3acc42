set transaction isolation level serializable;
select plan(1);

select tests.person('maya', 3);
select tests.session('maya');
select tests.slider('trams', 'maya');
set local session authorization opine_serializable;
select is(
  gateway.invoke('cast_vote', tests.claims('maya'), tests.arguments('trams') || '{"position": "left"}'),
  '{"pendingHubIds": []}', 'a vote runs as its caller'
);

select * from finish();
