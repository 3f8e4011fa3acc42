select plan(5);

select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['ash', 'oak', 'fir']) as name;
select tests.post('trams', 'jonas', 'public_hub');
select tests.placed('trams', 'ash', app.now() - interval '1 day');
select tests.placed('trams', name) from unnest(array['elm', 'oak', 'fir']) as name;
select tests.post('bikes', 'jonas', 'public_hub');
select tests.placed('bikes', 'elm');
select tests.without_indexes();

create function pg_temp.expected(variadic p_names text[])
returns jsonb
language sql
return (select jsonb_agg(jsonb_build_object('id', tests.id(name), 'name', name) order by name <> 'ash', tests.id(name)) from unnest(p_names) as name);

select tests.act_as('jonas');
select is(app.card_hubs(tests.id('trams')), pg_temp.expected('ash', 'elm', 'oak', 'fir'), 'in the order of placing, then of their ids');
select tests.act_as('maya');
select is(app.card_hubs(tests.id('trams')), pg_temp.expected('elm'), 'those that one is in');
select is(app.card_hubs(tests.id('trams')), (select card -> 'hubs' from app.post_cards(tests.ids('trams'))), 'as on cards');
select tests.act_as('lena');
select is(app.card_hubs(tests.id('trams')), '[]', 'which may be none');
select tests.act_as_guest();
select is(app.card_hubs(tests.id('trams')), '[]', 'and is for guests');

select * from finish();
