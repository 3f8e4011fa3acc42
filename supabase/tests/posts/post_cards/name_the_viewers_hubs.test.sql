select plan(4);

select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['ash', 'oak', 'fir']) as name;
select tests.post('trams', 'jonas', 'public_hub');
select tests.placed('trams', 'ash', app.now() - interval '1 day');
select tests.placed('trams', name) from unnest(array['elm', 'oak']) as name;
select tests.placed('trams', 'fir', app.now(), 'shared');
select tests.post('bikes', 'jonas', 'public_hub');
select tests.placed('bikes', 'elm');
select tests.without_indexes();

create function pg_temp.hubs()
returns jsonb
language sql
return (select card -> 'hubs' from app.post_cards(tests.ids('trams')));

create function pg_temp.expected(variadic p_names text[])
returns jsonb
language sql
return (select jsonb_agg(jsonb_build_object('id', tests.id(name), 'name', name) order by name <> 'ash', tests.id(name)) from unnest(p_names) as name);

select tests.act_as('jonas');
select is(pg_temp.hubs(), pg_temp.expected('ash', 'elm', 'oak', 'fir'), 'in the order of placing, then of their ids; shared or targeted');
select tests.act_as('maya');
select is(pg_temp.hubs(), pg_temp.expected('elm'), 'those that one is in');
select tests.act_as('lena');
select is(pg_temp.hubs(), '[]', 'which may be none');
select tests.act_as_guest();
select is(pg_temp.hubs(), '[]', 'and is for guests');

select * from finish();
