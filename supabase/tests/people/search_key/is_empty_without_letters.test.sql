select plan(5);

select is(app.search_key(typed), '', format('nobody is called %L', typed)) from unnest(array['%', ' .-*"', '\', '@@!']) as typed;
select is(app.search_key('%maya'), '%maya', 'but a part of it may be a name');

select * from finish();
