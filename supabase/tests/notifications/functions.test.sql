begin;
select plan(3);

-- call_function calls an edge function with the address and the secret of the vault.
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

insert into vault.decrypted_secrets
values ('opine_functions_url', 'https://opine.example/functions/v1'), ('another', 'secret of another');
select app.call_function('push');
select is_empty('select from net.calls', 'call_function calls no function without the secret in the vault');
insert into vault.decrypted_secrets values ('opine_push_secret', 'hush');
select app.call_function('push');
select results_eq(
  'select * from net.calls',
  $$
    values (
      'https://opine.example/functions/v1/push',
      '{"Content-Type": "application/json", "Authorization": "Bearer hush"}'::jsonb,
      '{}'::jsonb, 55000
    )
  $$,
  'call_function posts to the function of its name with the secret as bearer token'
);
delete from net.calls;
delete from vault.decrypted_secrets where name = 'opine_functions_url';
select app.call_function('push');
select is_empty('select from net.calls', 'call_function calls no function without the address in the vault');

select * from finish();
rollback;
