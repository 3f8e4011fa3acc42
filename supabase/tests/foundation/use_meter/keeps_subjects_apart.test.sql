select plan(3);

create function pg_temp.knock(p_kind text, p_subject text)
returns boolean
language sql
return app.use_meter(p_kind, p_subject, 1, interval '1 minute') is null;

select pg_temp.knock('knocks', 'door');
select ok(not pg_temp.knock('knocks', 'door'), 'this limit is used');
select ok(pg_temp.knock('knocks', 'window'), 'another subject has a limit of its own');
select ok(pg_temp.knock('rings', 'door'), 'and so has the same subject for something else');

select * from finish();
