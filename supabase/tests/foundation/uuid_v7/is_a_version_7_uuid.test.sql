select plan(3);

create temporary table ids as select app.uuid_v7() as id from generate_series(1, 1000);

select is((select count(distinct id)::integer from ids), 1000, 'no id comes twice');
select is_empty($$ select id from ids where substr(id::text, 15, 1) <> '7' $$, 'the version is 7');
select is_empty($$ select id from ids where substr(id::text, 20, 1) !~ '[89ab]' $$, 'the variant is that of RFC 9562');

select * from finish();
