select plan(10);

select tests.named('ada', 'Ada of the Trees');
select tests.named('zoe_77', 'Zoë van der Berg');
select tests.named('bert', 'Gundula Other');
select tests.named('xaver', 'Hans Wurst');
select tests.named('outsider', 'Berta Berg');
select tests.hub('elm', 'ada');
select tests.hub('ash', 'outsider');
select tests.membership('elm', name) from unnest(array['zoe_77', 'bert', 'xaver']) as name;
insert into app.hub_profiles (user_id, display_name) values (tests.id('xaver'), 'Xaver  Bergsteiger');

create function pg_temp.found(p_query text)
returns uuid[]
language sql
return tests.listed(app.members_called(tests.in_hub('elm', jsonb_build_object('q', p_query))), 'userId');

select tests.act_as('ada');
select is(pg_temp.found('ber'), tests.ids('zoe_77', 'xaver', 'bert'), 'in the order of what begins so: berg, bergsteiger, bert');
select is(pg_temp.found(' @VÁN  Der'), tests.ids('zoe_77'), 'from a word on, however it is written');
select is(pg_temp.found('xaver b'), tests.ids('xaver'), 'and however many blanks are between');
select is(pg_temp.found('xaver'), tests.ids('xaver'), 'who is called so twice is found once');
select is(pg_temp.found('hans'), '{}', 'not by the name that the private one stands for');
select is(pg_temp.found('erg'), '{}', 'nor by the inside of a word');
select is(pg_temp.found('%'), '{}', 'nor by a pattern');
select is(pg_temp.found('@'), '{}', 'who looks for nothing finds nobody');
select is(pg_temp.found('berg'), tests.ids('zoe_77', 'xaver'), 'the whole of a word is its beginning');
select tests.act_as('outsider');
select is(pg_temp.found('ber'), '{}', 'an outsider finds nobody');

select * from finish();
