select plan(5);

select tests.elm();
select tests.asset('photo', 'amara', 'hub_photo');
select tests.asset('picture', 'jonas');
select tests.asset('loose', 'amara');
select tests.discussion('trams', 'jonas', 'elm');
select tests.message('message', 'jonas', 'trams in elm');
update app.messages set asset_id = tests.id('picture');
update app.hubs set photo_asset_id = tests.id('photo');

select tests.act_as('maya');
select set_eq('select id from app.assets', tests.ids('photo', 'picture'), 'by members: its photo and what is said in it');
select tests.act_as('lena');
select set_eq('select id from app.assets', tests.ids('photo'), 'by an outsider: its photo');
select tests.act_as_guest();
select set_eq('select id from app.assets', tests.ids('photo'), 'which guests see as well');
reset role;
select tests.close_hub('elm');
select tests.act_as_guest();
select is_empty('select id from app.assets', 'as long as the Hub is there');
reset role;
select tests.act_as('maya');
select is_empty('select id from app.assets', 'and the membership');

select * from finish();
