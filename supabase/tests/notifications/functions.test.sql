begin;
select plan(4);

-- call_function: calls an edge function
create schema vault;
create table vault.decrypted_secrets (name text, decrypted_secret text);
create schema net;
create table net.calls (url text, headers jsonb, body jsonb, timeout_milliseconds integer);
create function net.http_post(url text, body jsonb, headers jsonb, timeout_milliseconds integer)
returns bigint
language sql
as $$ insert into net.calls values (url, headers, body, timeout_milliseconds) returning 1 $$;
grant usage on schema vault, net to postgres;
grant all on vault.decrypted_secrets, net.calls to postgres;

insert into vault.decrypted_secrets values ('opine_functions_url', 'https://opine.example/functions/v1'), ('another', 'secret of another');
select app.call_function('push');
select is_empty('select from net.calls', 'without the secret in the vault no function is called');
insert into vault.decrypted_secrets values ('opine_push_secret', 'hush');
select app.call_function('push');
select results_eq(
  'select * from net.calls',
  $$ values ('https://opine.example/functions/v1/push', '{"Content-Type": "application/json", "Authorization": "Bearer hush"}'::jsonb, '{}'::jsonb, 55000) $$,
  'with address and secret in the vault the function is called by its name'
);
delete from net.calls;
delete from vault.decrypted_secrets where name = 'opine_functions_url';
select app.call_function('push');
select is_empty('select from net.calls', 'without the address in the vault no function is called');
select is_empty($$ select tests.who_may($call$ select app.call_function('push') $call$) $$, 'no role of the service may call functions');

select * from finish();
rollback;
