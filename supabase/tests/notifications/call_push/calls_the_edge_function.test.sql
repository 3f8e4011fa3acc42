select plan(4);

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

insert into vault.decrypted_secrets values ('opine_push_url', 'https://opine.example/push'), ('another', 'secret of another');
select app.call_push();
select is_empty('select from net.calls', 'nothing is called without a secret');
insert into vault.decrypted_secrets values ('opine_push_secret', 'hush');
select app.call_push();
select results_eq(
  'select * from net.calls',
  $$ values ('https://opine.example/push', '{"Content-Type": "application/json", "Authorization": "Bearer hush"}'::jsonb, '{}'::jsonb, 55000) $$,
  'with both it is called'
);
delete from net.calls;
delete from vault.decrypted_secrets where name = 'opine_push_url';
select app.call_push();
select is_empty('select from net.calls', 'and nowhere without an address');
select is_empty($$ select tests.who_may('select app.call_push()') $$, 'pg_cron does, and no role of ours');

select * from finish();
